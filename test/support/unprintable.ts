/**
 * What no table may hold: control characters other than the newline, and those that turn the direction of text. Put
 * together from text, since the linter holds a control character in a pattern for a slip.
 */
export const UNPRINTABLE = new RegExp(String.raw`[\0-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]`)
