"""The training loop that the nets share: a time budget, mean weights, checkpoints, a progress bar."""

from __future__ import annotations

import argparse
import pathlib
import time
from collections.abc import Iterator

import numpy as np
import torch
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from torch import nn

WORK = pathlib.Path("models/training/made")
SAVE_EVERY = 120.0  # seconds


def options(about: str | None, *, name: str, minutes: float, reuse: float, decay: float) -> argparse.ArgumentParser:
    """The options that every training has."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--minutes", type=float, default=minutes, help="in all, the time before a resumption included")
    parser.add_argument("--reuse", type=float, default=reuse, help="times each drawn example is used")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--decay", type=float, default=decay)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--out", type=pathlib.Path, default=WORK / f"{name}.pt")
    return parser


class Run:
    """One training: the net, its mean weights, its optimiser and its checkpoint."""

    def __init__(self, net: nn.Module, average: nn.Module, args: argparse.Namespace) -> None:
        torch.set_num_threads(args.threads)
        self.net = net.to(args.device, memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.average = average.to(args.device)
        self.average.load_state_dict(net.state_dict())
        self.optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=args.decay)
        self.args, self.count, self.spent, self.told = args, 0, 0.0, {}
        if args.out.exists():
            saved = torch.load(args.out, map_location=args.device, weights_only=False)
            self.net.load_state_dict(saved["net"])
            self.average.load_state_dict(saved["average"])
            if "optimiser" in saved:
                self.optimiser.load_state_dict(saved["optimiser"])
            self.count, self.spent = saved["steps"], saved["seconds"]

    def steps(self) -> Iterator[int]:
        """One number a step until the time is over; the rate falls along half a cosine, checkpoints are saved."""
        budget, start, saved_at = self.args.minutes * 60, time.time() - self.spent, time.time()
        bar = Progress(TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
        task = bar.add_task("drawing", total=budget)
        with bar:
            while (seconds := time.time() - start) < budget:
                fall = 0.5 * (1 + np.cos(np.pi * seconds / budget)) * 0.98 + 0.02
                for group in self.optimiser.param_groups:
                    group["lr"] = float(self.args.rate * min(1, (self.count + 1) / 200) * fall)
                yield self.count
                told = "  ".join(f"{name} {value:.4f}" for name, value in self.told.items())
                bar.update(task, completed=min(seconds, budget), description=f"step {self.count}  {told}")
                self.spent = seconds
                if time.time() - saved_at > SAVE_EVERY:
                    self.save()
                    saved_at = time.time()
        self.save()

    def learn(self, loss: torch.Tensor, parts: dict[str, float]) -> None:
        """One step down the loss; `parts` are shown, smoothed."""
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimiser.step()
        self.count += 1
        decay = min(0.998, self.count / (self.count + 50))
        with torch.no_grad():
            for a, b in zip(self.average.state_dict().values(), self.net.state_dict().values(), strict=True):
                a.copy_(b) if a.dtype == torch.long else a.lerp_(b, 1 - decay)
        for name, value in parts.items():
            self.told[name] = self.told.get(name, value) * 0.98 + value * 0.02

    def save(self) -> None:
        """Write the checkpoint, whole or not at all."""
        path = self.args.out
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        torch.save(
            {
                "net": self.net.state_dict(),
                "average": self.average.state_dict(),
                "optimiser": self.optimiser.state_dict(),
                "steps": self.count,
                "seconds": self.spent,
            },
            part,
        )
        part.replace(path)
