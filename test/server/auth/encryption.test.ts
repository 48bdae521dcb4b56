import t from 'tap'
import { createEncryption } from '#server/auth/encryption.ts'

const [OLD, NEW] = ['first-secret-of-more-than-32-characters', 'second-secret-of-more-than-32-characters']
const encryption = createEncryption([OLD])
const PLAIN = '{"access":"a-token","sub":"u-1"}'
const under = (...secrets: string[]) => createEncryption(secrets).of('owner')
const own = under(OLD)
const encrypted = own.encrypt(PLAIN, 'tokens')

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
  t.equal(own.decrypt(encrypted, 'tokens'), PLAIN)
})

t.test('refuses any changed, missing or additional byte', async (t) => {
  for (let index = 0; index < encrypted.length; index += 1) {
    for (const flip of [0x01, 0x80]) {
      const changed = Buffer.from(encrypted)
      changed[index] = (changed[index] ?? 0) ^ flip
      t.equal(own.decrypt(changed, 'tokens'), null, `byte ${index}`)
    }
    t.equal(own.decrypt(encrypted.subarray(0, index), 'tokens'), null, `${index} bytes`)
  }
  t.equal(own.decrypt(Buffer.concat([encrypted, Buffer.from([0])]), 'tokens'), null)
})

t.test('encrypts with the newest secret and decrypts with any', async (t) => {
  const rotated = under(NEW, OLD)
  t.equal(rotated.decrypt(encrypted, 'tokens'), PLAIN)
  const fresh = rotated.encrypt(PLAIN, 'tokens')
  t.equal(under(NEW).decrypt(fresh, 'tokens'), PLAIN)
  t.equal(own.decrypt(fresh, 'tokens'), null)
  const sameSecret = rotated.encrypt(PLAIN, 'tokens', encrypted)
  t.equal(own.decrypt(sameSecret, 'tokens'), PLAIN, 'uses the secret of the given ciphertext')
  const newestSecret = under(NEW).encrypt(PLAIN, 'tokens', encrypted)
  t.equal(rotated.decrypt(newestSecret, 'tokens'), PLAIN, 'uses the newest secret if that one is gone')
  t.equal(under(NEW).decrypt(encrypted, 'tokens'), null)
})

t.test('reveals no part of the text, and encrypts the same text differently each time', async (t) => {
  t.notOk(encrypted.equals(own.encrypt(PLAIN, 'tokens')))
  for (const part of ['a-token', 'u-1', 'owner', Buffer.from('a-token').toString('base64url')])
    t.notOk(encrypted.includes(part), part)
})

t.test('round-trips any text', async (t) => {
  for (const plain of ['', ' ', 'ä€😀\0\n', 'x'.repeat(100_000)])
    t.equal(own.decrypt(own.encrypt(plain, 'p'), 'p'), plain)
})

t.test('creates an alias for each secret, newest first, that does not contain the value', async (t) => {
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
  t.equal(new Set(all).size, 4, 'one for each value, purpose and secret')
  for (const alias of all) t.notMatch(alias, 'u-1')
})
