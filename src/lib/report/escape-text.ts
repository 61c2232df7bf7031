/**
 * Characters that a reader cannot see or that change what he sees: controls, formats (zero-width, bidi, tags),
 * separators, spaces other than the plain one, private use, lone surrogates.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}[\p{Zs}--\x20]]/gv

const SHORT: Readonly<Record<string, string>> = {'\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t`}

/** Foreign text, safe for one line of a terminal: what cannot be seen stands as `\n`, `\u202e`, `\u{e0041}`. */
export function escapeText(text: string): string {
  return text.replace(UNSEEN, (unseen) => SHORT[unseen] ?? escapeCodePoint(unseen))
}

/** JSON text with the unseen characters that JSON itself lets through written as `\uXXXX`: the same value. */
export function escapeJson(json: string): string {
  return json.replace(UNSEEN, (unseen) => (unseen === '\n' ? unseen : escapeCodeUnits(unseen)))
}

/** Whether `escapeText` would change the text. */
export function hasUnseen(text: string): boolean {
  return text.search(UNSEEN) >= 0
}

/** YAML text whose unseen characters all stand in double-quoted scalars, with them written as `\uXXXX`. */
export function escapeYaml(yaml: string): string {
  return yaml.replace(UNSEEN, (unseen) => {
    if (unseen === '\n') return unseen
    const point = hex(unseen)
    return unseen.length === 1 ? String.raw`\u` + point.padStart(4, '0') : String.raw`\U` + point.padStart(8, '0')
  })
}

function escapeCodePoint(character: string): string {
  return character.length === 1 ? escapeCodeUnits(character) : String.raw`\u{` + hex(character) + '}'
}

function escapeCodeUnits(character: string): string {
  return character
    .split('')
    .map((unit) => String.raw`\u` + hex(unit).padStart(4, '0'))
    .join('')
}

function hex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16)
}
