import t from 'tap'
import { readSettings } from '../settings.ts'

t.test('without settings the sandbox is at port 4000', async (t) => {
  t.match(readSettings({}), { port: 4000, host: '127.0.0.1', devices: 0, latencyMs: 0, faults: '' })
})

t.test('settings are read from the environment', async (t) => {
  const env = {
    SANDBOX_PORT: '0',
    SANDBOX_DEVICES: '50000',
    SANDBOX_CUSTOMERS: '155',
    SANDBOX_USERS: '10000',
    SANDBOX_SERVICE_ACCOUNTS: '1000',
    SANDBOX_ALARMS: '50000',
    SANDBOX_AUDIT_ENTRIES: '100000',
    SANDBOX_LATENCY_MS: '30',
    SANDBOX_FAULTS: 'subscription:503, egress:timeout',
    SANDBOX_URL: 'http://sandbox:4000/',
    GATEWAY_URL: 'http://localhost:3100/'
  }
  t.match(readSettings(env), {
    port: 0,
    devices: 50_000,
    customers: 155,
    users: 10_000,
    serviceAccounts: 1_000,
    alarms: 50_000,
    auditEntries: 100_000,
    latencyMs: 30,
    publicUrl: 'http://sandbox:4000',
    gatewayUrl: 'http://localhost:3100'
  })
})

t.test('everything wrong is said at once', async (t) => {
  const env = {
    SANDBOX_PORT: '70000',
    SANDBOX_DEVICES: 'many',
    SANDBOX_LATENCY_MS: '-1',
    SANDBOX_FAULTS: 'egress:never',
    GATEWAY_URL: 'localhost:3000'
  }
  try {
    readSettings(env)
    t.fail('bad settings were accepted')
  } catch (error) {
    const lines = (error as Error).message.split('\n')
    t.equal(lines.length, 5)
    for (const name of Object.keys(env))
      t.ok(
        lines.some((line) => line.startsWith(name)),
        name
      )
  }
})
