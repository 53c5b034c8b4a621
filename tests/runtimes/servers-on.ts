/** Servers that tests start as processes run on this program; the tests themselves stay where they are. */
const program = process.env["ENGINE_TEST_RUNTIME"];
if (program !== undefined) process.execPath = program;
