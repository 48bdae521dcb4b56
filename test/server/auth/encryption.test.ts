import t from 'tap'
import { createEncryption } from '#server/auth/encryption.ts'

const [OLD, NEW] = ['first-secret-of-more-than-32-characters', 'second-secret-of-more-than-32-characters']
const encryption = createEncryption([OLD])
const PLAIN = '{"access":"a-token","sub":"u-1"}'
const encrypted = encryption.of('owner').encrypt(PLAIN, 'tokens')

t.test('needs at least one secret', async (t) => {
  t.throws(() => createEncryption([]), /at least one secret/)
})

t.test('decrypts only for the same owner and purpose', async (t) => {
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
    t.equal(encryption.of(owner).decrypt(encrypted, purpose), null, `${owner} ${purpose}`)
  t.equal(encryption.of('owner').decrypt(encrypted, 'tokens'), PLAIN)
})

t.test('refuses any changed, missing or additional byte', async (t) => {
  for (let index = 0; index < encrypted.length; index += 1) {
    for (const flip of [0x01, 0x80]) {
      const changed = Buffer.from(encrypted)
      changed[index] = (changed[index] ?? 0) ^ flip
      t.equal(encryption.of('owner').decrypt(changed, 'tokens'), null, `byte ${index}`)
    }
  }
  for (let length = 0; length < encrypted.length; length += 1)
    t.equal(
      encryption.of('owner').decrypt(encrypted.subarray(0, length), 'tokens'),
      null,
      `cut to ${length} bytes`
    )
  t.equal(
    encryption.of('owner').decrypt(Buffer.concat([encrypted, Buffer.from([0])]), 'tokens'),
    null,
    'one additional byte'
  )
})

t.test('encrypts under the newest secret and decrypts under all of them', async (t) => {
  const rotated = createEncryption([NEW, OLD])
  t.equal(rotated.of('owner').decrypt(encrypted, 'tokens'), PLAIN)
  const fresh = rotated.of('owner').encrypt(PLAIN, 'tokens')
  t.equal(createEncryption([NEW]).of('owner').decrypt(fresh, 'tokens'), PLAIN, 'encrypted under the newest')
  t.equal(createEncryption([OLD]).of('owner').decrypt(fresh, 'tokens'), null)
  const sameSecret = rotated.of('owner').encrypt(PLAIN, 'tokens', encrypted)
  t.equal(
    createEncryption([OLD]).of('owner').decrypt(sameSecret, 'tokens'),
    PLAIN,
    'uses the secret of the given ciphertext'
  )
  const newestSecret = createEncryption([NEW]).of('owner').encrypt(PLAIN, 'tokens', encrypted)
  t.equal(
    rotated.of('owner').decrypt(newestSecret, 'tokens'),
    PLAIN,
    'uses the newest if that secret is gone'
  )
  t.equal(createEncryption([NEW]).of('owner').decrypt(encrypted, 'tokens'), null, 'the old secret is gone')
})

t.test('shows nothing of the text, and encrypts the same text differently each time', async (t) => {
  const other = encryption.of('owner').encrypt(PLAIN, 'tokens')
  t.notOk(encrypted.equals(other))
  for (const part of ['a-token', 'u-1', 'owner', Buffer.from('a-token').toString('base64url')])
    t.notOk(encrypted.includes(part), part)
})

t.test('round-trips any text', async (t) => {
  for (const plain of ['', ' ', 'ä€😀\0\n', 'x'.repeat(100_000)])
    t.equal(
      encryption.of('o').decrypt(encryption.of('o').encrypt(plain, 'p'), 'p'),
      plain,
      `${plain.length} characters`
    )
})

t.test('makes one alias for each secret, newest first, that hides the value', async (t) => {
  const aliases = createEncryption([NEW, OLD]).aliases('u-1', 'subject')
  t.equal(aliases.length, 2)
  t.strictSame(aliases, [
    ...createEncryption([NEW]).aliases('u-1', 'subject'),
    ...encryption.aliases('u-1', 'subject')
  ])
  const all = [
    ...aliases,
    ...encryption.aliases('u-1', 'authoritySession'),
    ...encryption.aliases('u-10', 'subject')
  ]
  t.equal(new Set(all).size, 4, 'different for each value, purpose and secret')
  for (const alias of all) t.notMatch(alias, 'u-1')
})
