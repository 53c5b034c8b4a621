import { expect, test } from "vitest";
import { openBench } from "../kit.js";

const CODE = "TMKB-INPUT-003";
const COMMAND = "TMKB-INPUT-004";
const JOB = "TMKB-ASYNC-004";

interface Found {
  readonly patterns: readonly { readonly id: string; readonly findings: readonly { readonly line: number }[] }[];
}

/** Reviews a text with the three patterns. Returns the ids and lines of the findings. */
async function findingsIn(path: string, text: string): Promise<readonly string[]> {
  const { call } = await openBench();
  const { patterns } = (await call("tmkb_review", { texts: [{ path, text }] })) as unknown as Found;
  return patterns
    .filter(({ id }) => [CODE, COMMAND, JOB].includes(id))
    .flatMap(({ id, findings }) => findings.map(({ line }) => `${id} ${line}`));
}

test.each([
  ["a.py", 'def a():\n    return eval(request.args["x"])\n', `${CODE} 2`],
  ["a.py", "def b():\n    exec(request.data)\n", `${CODE} 2`],
  ["a.py", "def c(self):\n    return eval(str(self.request.GET['x']))\n", `${CODE} 2`],
  ["a.py", "def d():\n    return eval(f\"{request.form['a']} + 1\", {})\n", `${CODE} 2`],
  ["a.py", 'def e():\n    formula = request.json["formula"]\n\n    return eval(formula)\n', `${CODE} 4`],
  ["a.js", 'app.get("/", (req, res) => {\n  res.send(eval(req.query.x));\n});\n', `${CODE} 2`],
  ["a.js", 'app.get("/", (req, res) => {\n  res.send(new Function(req.query.x)());\n});\n', `${CODE} 2`],
  ["a.ts", "const f = (req) => vm.runInNewContext(req.body.code, {});\n", `${CODE} 1`],
  ["a.ts", "function g(req) {\n  const { rule } = req.body;\n  return eval(rule);\n}\n", `${CODE} 3`],
  ["a.ts", "const compile = (text: string) => new Function('row', text);\n", `${CODE} 1`],
  ["a.ts", "function g(req) {\n  const rule: string = req.body.rule;\n  return eval(rule);\n}\n", `${CODE} 3`],
  [
    "a.ts",
    "function g(req) {\n  const {\n    name,\n    rule: text,\n  } = req.body;\n  eval(text);\n}\n",
    `${CODE} 6`,
  ],
  ["a.ts", "const f = (req) => new Function('row', req.body.code);\n", `${CODE} 1`],
  ["a.ts", "const f = (text) => new Function('row', `with (row()) { return ${text} }`);\n", `${CODE} 1`],
  ["a.py", 'def f():\n    rule: str = request.args["x"]\n    return eval(rule)\n', `${CODE} 3`],
  ["a.rb", "def show\n  eval(params[:x])\nend\n", `${CODE} 2`],
  ["a.php", "<?php\neval($_GET['x']);\n", `${CODE} 2`],
  ["A.java", 'class A {\n  Object a() { return engine.eval(request.getParameter("x")); }\n}\n', `${CODE} 2`],
  ["a.js", 'app.get("/", (req, res) => {\n  exec(req.query.command);\n});\n', `${COMMAND} 2`],
  ["a.js", 'const f = (name) => execSync("ls " + name);\n', `${COMMAND} 1`],
  ["a.kt", 'fun a(host: String) = Runtime.getRuntime().exec("ping ${host}")\n', `${COMMAND} 1`],
  ["A.java", 'class A {\n  void a(String host) { Runtime.getRuntime().exec("ping " + host); }\n}\n', `${COMMAND} 2`],
  ["a.js", 'new Worker("jobs", async (job) => new Function(job.data.code)());\n', `${JOB} 1`],
])("%s: %j runs what was sent", async (path, text, found) => {
  expect(await findingsIn(path, text)).toContain(found);
});

test.each([
  ["a.py", "def a(request):\n    model.eval()\n    return render(request)\n"],
  ["a.py", 'def a(request):\n    return ast.literal_eval(request.args["x"])\n'],
  ["a.py", "def a():\n    return eval('1 + 1')\n"],
  ["a.py", 'def a(request):\n    name = request.args["x"]\n    return redis.eval(SCRIPT, 1, name)\n'],
  ["a.py", 'def a(request):\n    name = request.args["x"]\n    log(name)\n    return eval(rule)\n'],
  ["a.py", 'def a():\n    rule = request.args["x"]\n\ndef b(rule):\n    return eval(rule)\n'],
  ["a.py", 'def a():\n    rule = request.args["x"]\n    rule = RULES[rule]\n    return eval(rule)\n'],
  ["a.py", 'def a():\n    rule = RULES.get(request.args["x"])\n    return eval(rule)\n'],
  ["a.py", "def eval(request):\n    return request.args\n"],
  ["a.js", "const f = (req) => PATTERN.exec(req.query.x);\n"],
  ["a.js", "const f = async (req) => User.findOne({ id: req.params.id }).exec();\n"],
  ["a.js", "const isAny = (value) => value instanceof Function;\n"],
  ["a.js", "const root = new Function('return this')();\n"],
  ["a.js", "// eval(req.query.x)\nconst note = 'never call eval(req.query.x) here';\n"],
  ["a.py", "@pytest.fixture\ndef value(request):\n    return eval(request.param)\n"],
  ["a.js", 'const found = PATTERN.exec("1+1") ?? /a/u.exec("b" + c);\n'],
  ["a.js", "const clear = (table) => db.exec(`DELETE FROM ${table}`);\n"],
  ["a.js", 'const ask = () => connection.exec("SELECT 1+1");\n'],
  ["A.java", "class A {\n  boolean a() { return policy.eval(request.user()); }\n}\n"],
  ["a.rb", "def show\n  evaluate(params[:x])\nend\n"],
])("%s: %j is nobody's code", async (path, text) => {
  expect(await findingsIn(path, text)).toEqual([]);
});

test("compiled code outside of a job is not a finding of the job pattern", async () => {
  const found = await findingsIn(
    "a.js",
    'app.get("/", (req, res) => {\n  res.send(new Function(req.query.x)());\n});\n',
  );
  expect(found).not.toContain(`${JOB} 2`);
});

test.each(["a.py", "a.js", "a.rb"])("%s: many spaces after a bracket do not make a check too slow", async (path) => {
  const { call } = await openBench();
  const { notes } = await call("tmkb_review", { texts: [{ path, text: `eval(${" ".repeat(30_000)}x)\n` }] });
  expect(notes ?? []).toEqual([]);
});
