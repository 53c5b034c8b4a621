import { expect, test } from "vitest";
import { stem } from "../../../src/text/index.js";

// Pairs as the vocabulary that Snowball publishes with the algorithm has them.
const PAIRS = `
consign consign · consigned consign · consigning consign · consignment consign · consist consist · consisted consist ·
consistency consist · consistent consist · consistently consist · consisting consist · consists consist ·
consolation consol · consolations consol · consolatory consolatori · console consol · consoled consol · consoles consol ·
consolidate consolid · consolidated consolid · consolidating consolid · consoling consol · consonant conson ·
consort consort · consorted consort · conspicuous conspicu · conspicuously conspicu · conspiracy conspiraci ·
conspirator conspir · conspire conspir · constable constabl · constancy constanc · constant constant ·
knack knack · knackeries knackeri · knaves knave · knavish knavish · kneaded knead · kneading knead · knee knee ·
kneel kneel · kneeled kneel · kneels kneel · knees knee · knell knell · knelt knelt · knew knew · knick knick ·
knife knife · knight knight · knightly knight · knights knight · knit knit · knits knit · knitted knit · knitting knit ·
knives knive · knob knob · knobs knob · knock knock · knocked knock · knocker knocker · knockers knocker · knot knot ·
skies sky · dying die · only onli · news news · proceed proceed · succeed succeed · inning inning · by by · say say · cry cri ·
ties tie · cries cri · gas gas · gaps gap · kiwis kiwi · this this · luxuriate luxuri · hopping hop · hoping hope ·
generate generat · generously generous · communication communic · happily happili · cheerfulness cheer ·
rationalization ration · possibility possibl · possibly possibl · youth youth · boy boy · enjoyed enjoy · controlled control ·
agreed agre · feed feed · bed bed · sing sing · singing sing · falling fall · rolling roll · theology theolog
`;

const pairs = PAIRS.split("·").map((pair) => pair.trim().split(/\s+/) as [string, string]);

test.each(pairs)("%s is cut to %s", (word, cut) => {
  expect(stem(word)).toBe(cut);
});

test("forms of the words of this corpus meet", () => {
  for (const words of [
    "webhook webhooks",
    "delete deleted deleting deletes deletion",
    "upload uploads uploaded uploading",
  ]) {
    expect(new Set(words.split(" ").map(stem)).size).toBe(1);
  }
});
