console.log("printed while loading");
process.stdout.write("and written");
export const loudness = "loaded";
