// Bodies that are slow to read: deep, long, with many names or with odd escapes.

/** Repeats a part while the text is within so many bytes. */
export function filled(
  before: string,
  part: (index: number) => string,
  after: string,
  bytes: number
): string {
  const parts: string[] = []
  let left = bytes - before.length - after.length
  for (let index = 0; ; index += 1) {
    const one = part(index)
    left -= one.length + 1
    if (left < 0) return before + parts.join() + after
    parts.push(one)
  }
}

/** Hostile bodies of at most so many bytes, by name. No call accepts one. */
export function hostileBodies(bytes: number): Record<string, string> {
  const upTo = (part: string, share = 1) => part.repeat(Math.floor((bytes * share - 64) / part.length))
  const name = (index: number) => index.toString(36)
  return {
    'lists within lists': `${upTo('[', 1 / 2)}${upTo(']', 1 / 2)}`,
    'lists within lists that never end': upTo('['),
    'objects within objects': upTo('{"create":'),
    'many items': filled('{"create":[', () => '{}', ']}', bytes),
    'many ids': filled('{"delete":[', String, ']}', bytes),
    'many changes': filled(
      '{"create":[',
      () => '{"role":"/roles/5","scope":"/organizations/100/customers/c-1001"}',
      ']}',
      bytes
    ),
    'many names': filled('{', (index) => `"${name(index)}":1`, '}', bytes),
    'long names, each another': filled('{', (index) => `"${name(index).padStart(44, 'x')}":1`, '}', bytes),
    'one name many times': filled('{', () => '"a":1', '}', bytes),
    'one text': JSON.stringify({ create: upTo('x') }),
    'one name': `{"${upTo('x')}":1}`,
    'one text of escapes': `{"create":"${upTo('\\u0061')}"}`,
    'one text of backslashes': `{"create":"${upTo('\\\\')}"}`,
    'a text of quotes that never ends': `{"create":"${upTo('\\"')}`,
    'texts that never end': upTo('"\\"'),
    'one name of escapes, twice': `{"cr${upTo('\\u0061', 1 / 2)}":1,"cr${upTo('\\u0061', 1 / 2)}":1}`,
    'one number': `{"create":${upTo('1')}}`,
    'white space': `{"create"${upTo(' ')}}`,
    'white space and a name twice': `{"delete":[],${upTo('\n')}"delete":[]}`,
    colons: upTo('":"'),
    'nothing but ends': upTo('}')
  }
}
