// What a replica takes from the messages of others, and what it ignores.
import t from 'tap'
import { createEncryption } from '#server/auth/encryption.ts'
import { createMessageEncryption } from '#server/auth/message-encryption.ts'
import { createMemoryBackend } from '#server/auth/sessions/memory.ts'
import { noReadings, ownReadings, type Readings } from '#server/portal/readings/customer-readings.ts'
import { createShare, type Heard, type HeardChange, withHeard } from '#server/portal/readings/share.ts'
import type { TopicName } from '#server/replica-messages.ts'

const backups = { missing: 2, readAt: 1_000 }
const heardBackups: Heard = { customerId: 'c-1', visibility: 'v', part: 'backups', value: backups }
const change: HeardChange = { id: 'change-1', customerId: 'c-1', change: 'alarms' }

/** A replica whose messages the test sees, and that receives those of the test. */
function replica(secret: string, leases = createMemoryBackend(Date.now)) {
  const listeners = new Map<string, (message: string) => void>()
  const published: string[] = []
  const encryption = createEncryption([secret])
  const share = createShare({
    leases,
    messages: {
      isReceiving: () => true,
      topic: (name) => ({
        publish: (message) => void published.push(message),
        onMessage: (listener) => void listeners.set(name, listener)
      })
    },
    encryptionOf: (topic) => createMessageEncryption(encryption, topic)
  })
  const heard: unknown[] = []
  share.onReading((reading) => heard.push(reading))
  share.onChange((made) => heard.push(made))
  const receive = (name: TopicName, message: string) => listeners.get(name)?.(message)
  const encrypted = (name: TopicName, value: unknown) =>
    createMessageEncryption(encryption, name).encrypt(JSON.stringify(value))
  return { share, published, heard, receive, encrypted }
}

t.test('takes what a replica with the same secret has told', async (t) => {
  const [teller, hearer] = [replica('a secret of replicas'), replica('a secret of replicas')]
  teller.share.publish(heardBackups)
  teller.share.publishChange(change)
  const [reading = '', made = ''] = teller.published
  hearer.receive('readings', reading)
  hearer.receive('changes', made)
  t.strictSame(hearer.heard, [heardBackups, change])
})

t.test('ignores messages that are forged, broken, too long, or of another topic or version', async (t) => {
  const [stranger, hearer] = [replica('another secret'), replica('a secret of replicas')]
  stranger.share.publish(heardBackups)
  const { encrypted } = hearer
  const messages: [name: TopicName, message: string][] = [
    ['readings', stranger.published[0] ?? ''],
    ['readings', ''],
    ['readings', 'no%message'],
    ['readings', encrypted('readings', [2, heardBackups]).slice(0, -2)],
    ['readings', encrypted('changes', [2, change])],
    ['readings', encrypted('readings', [1, heardBackups])],
    ['readings', encrypted('readings', null)],
    ['readings', encrypted('readings', [2, null])],
    ['readings', encrypted('readings', [2, { ...heardBackups, part: 'constructor' }])],
    ['readings', encrypted('readings', [2, { ...heardBackups, value: undefined }])],
    ['readings', encrypted('readings', [2, { ...heardBackups, customerId: 'c'.repeat(100_000) }])],
    ['changes', encrypted('changes', [2, {}])]
  ]
  for (const [name, message] of messages) {
    hearer.receive(name, message)
    t.strictSame(hearer.heard, [], `${name} ${message.slice(0, 20)}`)
  }
})

t.test('keeps a newer reading than that of a replica that was slow or frozen', async (t) => {
  const newer = withHeard(noReadings(), heardBackups, 2_000)
  const older = { ...heardBackups, value: { missing: 9, readAt: 999 } }
  t.strictSame(withHeard(newer, older, 3_000).backups, backups)
  const equal = { ...heardBackups, value: { missing: 9, readAt: 1_000 } }
  t.equal(withHeard(newer, equal, 3_000).backups?.missing, 9)
  const services: Heard = {
    customerId: 'c-1',
    visibility: 'v',
    part: 'services',
    value: { ended: 1, ending: 0, readAt: 1_000 }
  }
  const known = withHeard(newer, services, 3_000)
  const olderServices = { ...services, value: { ended: 5, ending: 5, readAt: 500 } }
  t.equal(withHeard(known, olderServices, 4_000).services?.ended, 1)
})

t.test('rows are read again after another replica has told other counts', async (t) => {
  const rows = { items: [], total: 0, readAt: 1_000 }
  const known: Readings = {
    ...noReadings(),
    services: { ended: 1, ending: 2, recover: [], rows, readAt: 1_000 },
    backups: { missing: 2, rows, readAt: 1_000 }
  }
  const tell = (ended: number, missing: number) => {
    const told = { customerId: 'c-1', visibility: 'v' }
    const services = { ended, ending: 2, readAt: 2_000 }
    const withServices = withHeard(known, { ...told, part: 'services', value: services }, 3_000)
    return withHeard(withServices, { ...told, part: 'backups', value: { missing, readAt: 2_000 } }, 3_000)
  }
  const equal = tell(1, 2)
  t.match(equal, { services: { rows, readAt: 2_000 }, backups: { rows, readAt: 2_000 } })
  t.match(ownReadings(equal), { services: { readAt: 1_000 }, backups: { readAt: 1_000 } }, 'by their own age')
  const other = tell(5, 3)
  t.match(other, { services: { ended: 5, isOutdated: true }, backups: { missing: 3, isOutdated: true } })
  t.match(ownReadings(other), { services: undefined, backups: undefined })
})

t.test('a replica that closes lets others read at once', async (t) => {
  const leases = createMemoryBackend(Date.now)
  const [first, second] = [replica('a secret', leases), replica('a secret', leases)]
  t.ok(await first.share.take('services c-1', 30_000))
  t.ok(await second.share.take('services c-2', 30_000))
  t.notOk(await second.share.take('services c-1', 30_000))
  first.share.close()
  t.ok(await second.share.take('services c-1', 30_000))
  t.notOk(await first.share.take('services c-2', 30_000), 'it ends only its own leases')
})
