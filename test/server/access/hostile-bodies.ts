// Bodies of a megabyte that are made to hold up whoever reads them: deep, long, of many names, of odd escapes.

const MEGABYTE = 1024 * 1024
const upTo = (part: string, bytes = MEGABYTE) => part.repeat(Math.floor((bytes - 64) / part.length))
const listed = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index)).join(',')

/** By what is hostile about them; none is a body of any call. */
export const HOSTILE_BODIES: Record<string, string> = {
  'lists within lists': `${upTo('[', MEGABYTE / 2)}${upTo(']', MEGABYTE / 2)}`,
  'lists within lists that never end': upTo('['),
  'objects within objects': upTo('{"create":'),
  'a hundred thousand items': `{"create":[${listed(100_000, () => '{}')}]}`,
  'a hundred thousand ids': `{"delete":[${listed(100_000, String)}]}`,
  'fifteen thousand changes': `{"create":[${listed(15_000, () => '{"role":"/roles/5","scope":"/organizations/100/customers/c-1001"}')}]}`,
  'a hundred thousand names': `{${listed(100_000, (index) => `"${index.toString(36)}":1`)}}`,
  'long names, each another': `{${listed(19_000, (index) => `"${index.toString(36).padStart(44, 'x')}":1`)}}`,
  'one name a hundred thousand times': `{${listed(100_000, () => '"a":1')}}`,
  'one text': JSON.stringify({ create: 'x'.repeat(MEGABYTE - 64) }),
  'one name': `{"${'x'.repeat(MEGABYTE - 64)}":1}`,
  'one text of escapes': `{"create":"${upTo('\\u0061')}"}`,
  'one text of backslashes': `{"create":"${upTo('\\\\')}"}`,
  'a text of quotes that never ends': `{"create":"${upTo('\\"')}`,
  'texts that never end': upTo('"\\"'),
  'one name of escapes, twice': `{"cr${upTo('\\u0061', MEGABYTE / 2)}":1,"cr${upTo('\\u0061', MEGABYTE / 2)}":1}`,
  'one number': `{"create":${upTo('1')}}`,
  'white space': `{"create"${upTo(' ')}}`,
  'white space and a name twice': `{"delete":[],${upTo('\n')}"delete":[]}`,
  colons: upTo('":"'),
  'nothing but ends': upTo('}')
}
