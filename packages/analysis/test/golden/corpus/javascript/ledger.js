"use strict";

const formats = require("./formats");

function Ledger(name) {
  this.name = name || "ledger";
  this.rows = [];
  this.size = function () {
    return this.rows.length;
  };
}

Ledger.prototype.add = function (row) {
  if (!row || typeof row.sum !== "number") {
    throw new TypeError("no row");
  }
  this.rows.push(row);
};

Ledger.prototype.balance = function balance(until) {
  var sum = 0;
  for (var i = 0; i < this.rows.length; i++) {
    if (until && this.rows[i].date > until) break;
    sum += this.rows[i].sum;
  }
  return sum;
};

var parse = function (line) {
  var parts = line.split(";");
  if (parts.length === 3) {
    return { date: parts[0], sum: +parts[1], text: parts[2] };
  } else if (parts.length === 2) {
    return { date: parts[0], sum: +parts[1], text: "" };
  }
  return null;
};

module.exports.read = function (text, callback) {
  var ledger = new Ledger();
  try {
    text.split("\n").forEach(function (line) {
      var row = parse(line);
      if (row !== null) ledger.add(row);
    });
  } catch (error) {
    return callback(error);
  }
  callback(null, ledger);
};

exports.write = (ledger, format = "plain") => {
  const write = formats[format];
  if (write === undefined) throw new Error("no such format: " + format);
  return ledger.rows.map((row) => write(row)).join("\n");
};

module.exports.months = function* (ledger) {
  let last;
  for (const { date } of ledger.rows) {
    const month = date.slice(0, 7);
    if (month !== last) yield (last = month);
  }
};

(function () {
  var counter = 0;
  function next(step) {
    while (step-- > 0) counter++;
    return counter;
  }
  module.exports.next = next;
})();

class Rate {
  static #known = new Map();
  static get known() {
    return [...Rate.#known.keys()];
  }
  async load(code) {
    if (Rate.#known.has(code)) return Rate.#known.get(code);
    const rate = (await fetch(`/rates/${code}`))?.rate ?? 1;
    Rate.#known.set(code, rate);
    return rate;
  }
}

const gcd = (a, b) => (b === 0 ? a : gcd(b, a % b));

function kindOf(sum) {
  switch (true) {
    case sum > 0:
      return "income";
    case sum < 0:
      if (sum < -10000) {
        return "investment";
      } else {
        return "cost";
      }
    default:
      return "nothing";
  }
}

async function drain(source, sink) {
  for await (const row of source) {
    if (!row) continue;
    await sink.write(row);
  }
}

module.exports.Ledger = Ledger;
module.exports.Rate = Rate;
module.exports.helpers = { gcd, kindOf, drain };
