import t from 'tap'
import { createEncryption } from '#server/auth/encryption.ts'

const [OLD, NEW] = ['first-secret-of-more-than-32-characters', 'second-secret-of-more-than-32-characters']
const encryption = createEncryption([OLD])
const TEXT = '{"access":"a-token","sub":"u-1"}'
const encryptionOf = (...secrets: string[]) => createEncryption(secrets).of('owner')
const ownerEncryption = encryptionOf(OLD)
const ciphertext = ownerEncryption.encrypt(TEXT, 'tokens')

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
    t.equal(encryption.of(owner).decrypt(ciphertext, purpose), null, `${owner} ${purpose}`)
  t.equal(ownerEncryption.decrypt(ciphertext, 'tokens'), TEXT)
})

t.test('refuses any changed, missing or additional byte', async (t) => {
  for (let index = 0; index < ciphertext.length; index += 1) {
    for (const flip of [0x01, 0x80]) {
      const corrupted = Buffer.from(ciphertext)
      corrupted[index] = (corrupted[index] ?? 0) ^ flip
      t.equal(ownerEncryption.decrypt(corrupted, 'tokens'), null, `byte ${index}`)
    }
    t.equal(ownerEncryption.decrypt(ciphertext.subarray(0, index), 'tokens'), null, `${index} bytes`)
  }
  t.equal(ownerEncryption.decrypt(Buffer.concat([ciphertext, Buffer.from([0])]), 'tokens'), null)
})

t.test('encrypts with the newest secret and decrypts with any secret', async (t) => {
  const rotation = encryptionOf(NEW, OLD)
  t.equal(rotation.decrypt(ciphertext, 'tokens'), TEXT)
  const newCiphertext = rotation.encrypt(TEXT, 'tokens')
  t.equal(encryptionOf(NEW).decrypt(newCiphertext, 'tokens'), TEXT)
  t.equal(ownerEncryption.decrypt(newCiphertext, 'tokens'), null)
  const sameSecret = rotation.encrypt(TEXT, 'tokens', ciphertext)
  t.equal(ownerEncryption.decrypt(sameSecret, 'tokens'), TEXT, 'uses the secret of the given ciphertext')
  const newestSecret = encryptionOf(NEW).encrypt(TEXT, 'tokens', ciphertext)
  t.equal(rotation.decrypt(newestSecret, 'tokens'), TEXT, 'uses the newest secret if the old one was removed')
  t.equal(encryptionOf(NEW).decrypt(ciphertext, 'tokens'), null)
})

t.test('reveals no part of the text, and encrypts the same text differently each time', async (t) => {
  t.notOk(ciphertext.equals(ownerEncryption.encrypt(TEXT, 'tokens')))
  for (const part of ['a-token', 'u-1', 'owner', Buffer.from('a-token').toString('base64url')])
    t.notOk(ciphertext.includes(part), part)
})

t.test('round-trips any text', async (t) => {
  for (const text of ['', ' ', 'ä€😀\0\n', 'x'.repeat(100_000)])
    t.equal(ownerEncryption.decrypt(ownerEncryption.encrypt(text, 'p'), 'p'), text)
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
  t.equal(new Set(all).size, 4, 'one alias for each value, purpose and secret')
  for (const alias of all) t.notMatch(alias, 'u-1')
})
