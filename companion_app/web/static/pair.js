// A device that is not let in yet: the token that the code carries lets it in, once.

const token = new URLSearchParams(location.hash.slice(1)).get("pair");

if (token) {
  // What was used stands in no history.
  history.replaceState(null, "", location.pathname + location.search);
  const answer = await fetch("/pair", { method: "POST", body: new URLSearchParams({ token }) }).catch(() => null);
  if (answer?.ok) location.reload();
  else {
    const says = document.getElementById("says");
    says.textContent = says.dataset.failed;
  }
}
