// Stores encrypted texts for all replicas, under hashed names. Loses texts silently while the store fails.
import type { Notes } from '../../types.ts'
import type { Encryption } from '../encryption.ts'
import type { SessionBackend } from './backend.ts'

const PURPOSE = 'note'

export function createNotes(
  backend: Pick<SessionBackend, 'remember' | 'recall'>,
  encryption: Encryption
): Notes {
  const aliasesOf = (name: string) => encryption.aliases(name, PURPOSE).map((alias) => `note:${alias}`)

  return {
    async read(name) {
      for (const alias of aliasesOf(name)) {
        const note = await backend.recall(alias).catch(() => null)
        const text = note === null ? null : encryption.of(name).decrypt(Buffer.from(note, 'base64'), PURPOSE)
        if (text !== null) return text
      }
      return null
    },
    async write(name, text, lifetimeMs) {
      const [alias = ''] = aliasesOf(name)
      const encrypted = encryption.of(name).encrypt(text, PURPOSE).toString('base64')
      await backend.remember(alias, encrypted, lifetimeMs).catch(() => {})
    }
  }
}
