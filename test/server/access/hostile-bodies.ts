// Bodies that are slow to read: deep, long, with many names or with unusual escapes.

/** Repeats the part as often as the limit in bytes allows. */
function fill(before: string, part: (index: number) => string, after: string, bytes: number): string {
  const parts: string[] = []
  let bytesLeft = bytes - before.length - after.length
  for (let index = 0; ; index += 1) {
    const item = part(index)
    bytesLeft -= item.length + 1
    if (bytesLeft < 0) return before + parts.join() + after
    parts.push(item)
  }
}

/** Hostile bodies of at most the given size, by name. No call accepts any of them. */
export function hostileBodies(bytes: number): Record<string, string> {
  const upTo = (part: string, share = 1) => part.repeat(Math.floor((bytes * share - 64) / part.length))
  const name = (index: number) => index.toString(36)
  return {
    'lists within lists': `${upTo('[', 1 / 2)}${upTo(']', 1 / 2)}`,
    'lists within lists, unclosed': upTo('['),
    'objects within objects': upTo('{"create":'),
    'many items': fill('{"create":[', () => '{}', ']}', bytes),
    'many ids': fill('{"delete":[', String, ']}', bytes),
    'many changes': fill(
      '{"create":[',
      () => '{"role":"/roles/5","scope":"/organizations/100/customers/c-1001"}',
      ']}',
      bytes
    ),
    'many names': fill('{', (index) => `"${name(index)}":1`, '}', bytes),
    'long unique names': fill('{', (index) => `"${name(index).padStart(44, 'x')}":1`, '}', bytes),
    'many duplicates of one name': fill('{', () => '"a":1', '}', bytes),
    'one text': JSON.stringify({ create: upTo('x') }),
    'one name': `{"${upTo('x')}":1}`,
    'one text of escapes': `{"create":"${upTo('\\u0061')}"}`,
    'one text of backslashes': `{"create":"${upTo('\\\\')}"}`,
    'a text of quotes, unclosed': `{"create":"${upTo('\\"')}`,
    'unclosed texts': upTo('"\\"'),
    'one name of escapes, twice': `{"cr${upTo('\\u0061', 1 / 2)}":1,"cr${upTo('\\u0061', 1 / 2)}":1}`,
    'one number': `{"create":${upTo('1')}}`,
    'white space': `{"create"${upTo(' ')}}`,
    'white space and a duplicate name': `{"delete":[],${upTo('\n')}"delete":[]}`,
    colons: upTo('":"'),
    'only closing brackets': upTo('}')
  }
}
