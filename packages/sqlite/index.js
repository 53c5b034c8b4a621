module.exports = require("@photostructure/sqlite");
