// Encrypts what replicas tell each other through Redis, which can then neither read nor make up messages.
import type { MessageEncryption } from '../types.ts'
import type { Encryption } from './encryption.ts'

/** @param purpose keeps messages of one kind from being taken for another kind */
export function createMessageEncryption(encryption: Encryption, purpose: string): MessageEncryption {
  const own = encryption.of(`messages about ${purpose}`)
  return {
    encrypt: (text) => own.encrypt(text, purpose).toString('base64url'),
    decrypt: (message) => own.decrypt(Buffer.from(message, 'base64url'), purpose)
  }
}
