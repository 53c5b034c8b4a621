// One line of a stack trace, in the forms of JavaScript, Java, .NET, Python, Ruby, PHP, Go and Rust.
const FRAMES: readonly RegExp[] = [
  /^\s*at (?:async |new )?[^\s()]{1,300}(?: \[as [^\]]{1,100}\])? \((?:[^()]*:\d+|eval at|<anonymous>|native|index \d)/,
  /^\s*at [^\s()]{1,300}\.[^\s()]{1,200}\(/,
  /^\s*at (?:async )?(?=\S*[./\\])[^\s()]{1,1000}:\d+:\d+\s*$/,
  /^\s*\.\.\. \d+ (?:more|common frames omitted)\s*$/,
  /^\s*File ".*", line \d+/,
  /^\s*\^[\^~ ]*$/,
  /^\s*from .*:\d+:in\b/,
  /^\s*#\d+ .*(?:\(\d+\):|\{main\}|\[internal function\])/,
  /^goroutine \d+ \[.*\]:\s*$/,
  /^\s+\S{1,1000}\.go:\d+(?: \+0x[0-9a-f]+)?\s*$/,
  /^\s*node:internal\/.*:\d+\s*$/,
  /^\s*\d+: (?:0x[0-9a-f]+ - )?[\w<>&]+(?:::[\w<>{}&]+)+/,
];
const TRACEBACK = /^\s*Traceback \(most recent call last\):\s*$/;
const PYTHON_FRAME = /^\s*File ".*", line \d+/;
const FOLDED = /\s(?:at|from) (?:async )?[\w$.<>]{1,200} ?(?:\[as [\w$]{1,100}\] )?\([^()\s]{1,1000}:\d+:\d+\)/g;

/** Cuts stack traces out of a text, and leaves the messages around them. */
export function withoutStacks(text: string, isSaid: (piece: string) => boolean): string {
  const unfolded = text.includes(" (") ? text.replace(FOLDED, (frame) => (isSaid(frame) ? frame : "")) : text;
  if (!unfolded.includes("\n")) return unfolded;
  const kept: string[] = [];
  let isInPython = false;
  let wasFrame = false;
  for (const line of unfolded.split("\n")) {
    if (TRACEBACK.test(line)) isInPython = true;
    // Python shows the source under each frame, and ends a trace with a line that is not indented.
    else if (isInPython && !/^\s/.test(line)) isInPython = false;
    const isSource = wasFrame && /^\s{4}/.test(line);
    const isFrame = isInPython || isSource || FRAMES.some((frame) => frame.test(line));
    wasFrame = PYTHON_FRAME.test(line);
    if (!isFrame || isSaid(line.trim())) kept.push(line);
  }
  return kept.join("\n").trimEnd();
}
