// Who is let in shows at once.
import { keepUp } from "./live.js";

keepUp(location.pathname, () => location.pathname + location.search);
