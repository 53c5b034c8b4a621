// A child that prints, and reads all of stdin.
console.log("a forked child prints");
process.stdin.resume();
process.send("forked");
