// Answers DNS questions about any name with the addresses that exist at this moment, as a container engine does (RFC 1035).
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { Test } from './teardown.ts'

const HEADER_BYTES = 12
const TYPE_A = 1
/** A response without an error, which may ask further servers. */
const FLAGS = 0x8180
/** The name of the question, at its place in the message. */
const NAME_OF_QUESTION = 0xc00c
const TTL_SECONDS = 1

/** @returns the port of the server on 127.0.0.1 */
export async function startNameServer(t: Test, addresses: () => readonly string[]): Promise<number> {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => socket.send(answerTo(query, addresses()), port, address))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.teardown(() => socket.close())
  return socket.address().port
}

function answerTo(query: Buffer, addresses: readonly string[]): Buffer {
  const endOfName = query.indexOf(0, HEADER_BYTES) + 1
  const question = query.subarray(HEADER_BYTES, endOfName + 4)
  const records = query.readUInt16BE(endOfName) === TYPE_A ? addresses.map(recordOf) : []
  const header = Buffer.alloc(HEADER_BYTES)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(FLAGS, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  return Buffer.concat([header, question, ...records])
}

function recordOf(address: string): Buffer {
  const record = Buffer.alloc(12)
  record.writeUInt16BE(NAME_OF_QUESTION, 0)
  record.writeUInt16BE(TYPE_A, 2)
  // The class of the internet.
  record.writeUInt16BE(1, 4)
  record.writeUInt32BE(TTL_SECONDS, 6)
  record.writeUInt16BE(4, 10)
  return Buffer.concat([record, Buffer.from(address.split('.').map(Number))])
}
