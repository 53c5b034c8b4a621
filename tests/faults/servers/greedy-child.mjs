// A child that prints, and reads all that comes on stdin.
console.log("a forked child prints");
process.stdin.resume();
process.send("forked");
