import t from 'tap'
import { createSealer } from '#server/auth/sealing.ts'

const SECRETS = ['first', 'second', 'third'].map((name) => `${name}-secret-of-more-than-32-characters`) as [
  string,
  string,
  string
]
const [OLD, NEW, OTHER] = SECRETS
const sealer = createSealer([OLD])
const PLAIN = '{"access":"a-token","sub":"u-1"}'
const sealed = sealer.seal(PLAIN, 'owner', 'tokens')

t.test('without a secret there is no sealer', async (t) => {
  t.throws(() => createSealer([]), /at least one secret/)
})

t.test('only the same owner and purpose open what was sealed', async (t) => {
  const cases: [owner: string, purpose: string][] = [
    ['', 'tokens'],
    ['Owner', 'tokens'],
    ['owner ', 'tokens'],
    ['owner2', 'tokens'],
    ['owner', 'data'],
    ['owner', ''],
    ['owner', 'tokens2'],
    ['tokens', 'owner']
  ]
  for (const [owner, purpose] of cases)
    t.equal(sealer.open(sealed, owner, purpose), null, `${owner} ${purpose}`)
  t.equal(sealer.open(sealed, 'owner', 'tokens'), PLAIN)
})

t.test('one changed byte anywhere closes it for good', async (t) => {
  for (let index = 0; index < sealed.length; index += 1) {
    for (const flip of [0x01, 0x80]) {
      const changed = Buffer.from(sealed)
      changed[index] = (changed[index] ?? 0) ^ flip
      t.equal(sealer.open(changed, 'owner', 'tokens'), null, `byte ${index}`)
    }
  }
  for (let length = 0; length < sealed.length; length += 1)
    t.equal(sealer.open(sealed.subarray(0, length), 'owner', 'tokens'), null, `cut to ${length} bytes`)
  t.equal(sealer.open(Buffer.concat([sealed, Buffer.from([0])]), 'owner', 'tokens'), null, 'a byte more')
})

t.test('what is not ours is not opened, and does no harm', async (t) => {
  const keyId = sealed.subarray(0, 4)
  const rest = sealed.subarray(4)
  const foreign = [
    '',
    '\0',
    '{}',
    keyId,
    rest,
    Buffer.concat([keyId, keyId, rest]),
    Buffer.concat([Buffer.from('xxxx'), rest]),
    sealed.toString('base64url')
  ]
  for (const [index, bytes] of foreign.entries())
    t.equal(sealer.open(Buffer.from(bytes), 'owner', 'tokens'), null, `number ${index}`)
  t.equal(sealer.open(createSealer([OTHER]).seal(PLAIN, 'owner', 'tokens'), 'owner', 'tokens'), null)
})

t.test('secrets rotate: the newest seals, all of them open, a dropped one does not', async (t) => {
  const rotated = createSealer([NEW, OLD])
  t.equal(rotated.open(sealed, 'owner', 'tokens'), PLAIN)
  const fresh = rotated.seal(PLAIN, 'owner', 'tokens')
  t.equal(createSealer([NEW]).open(fresh, 'owner', 'tokens'), PLAIN, 'sealed under the newest')
  t.equal(createSealer([OLD]).open(fresh, 'owner', 'tokens'), null)
  t.equal(createSealer([NEW]).open(sealed, 'owner', 'tokens'), null, 'the old secret is gone')
})

t.test('nothing of the text shows, and the same text never looks the same', async (t) => {
  const other = sealer.seal(PLAIN, 'owner', 'tokens')
  t.notOk(sealed.equals(other))
  for (const part of ['a-token', 'u-1', 'owner', Buffer.from('a-token').toString('base64url')])
    t.notOk(sealed.includes(part), part)
})

t.test('any text survives', async (t) => {
  for (const plain of ['', ' ', 'ä€😀\0\n', 'x'.repeat(100_000)])
    t.equal(sealer.open(sealer.seal(plain, 'o', 'p'), 'o', 'p'), plain, `${plain.length} characters`)
})

t.test('an alias files a value under each secret, newest first, without telling it', async (t) => {
  const aliases = createSealer([NEW, OLD]).aliases('u-1', 'subject')
  t.equal(aliases.length, 2)
  t.strictSame(aliases, [
    ...createSealer([NEW]).aliases('u-1', 'subject'),
    ...sealer.aliases('u-1', 'subject')
  ])
  const all = [...aliases, ...sealer.aliases('u-1', 'authoritySession'), ...sealer.aliases('u-10', 'subject')]
  t.equal(new Set(all).size, 4, 'each value, purpose and secret has its own')
  for (const alias of all) t.notMatch(alias, 'u-1')
})
