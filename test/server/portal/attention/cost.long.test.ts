// What an answer of the counts takes of the main thread, which all callers share.
import t from 'tap'
import type { AttentionList } from '#shared/attention.ts'
import { startSandbox } from '#test/sandbox/app.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { signIn, startPortal } from '#test/support/portal.ts'
import { startControlledUpstream } from '../../../support/controlled-upstream.ts'
import { eventually } from '../../../support/eventually.ts'

const PATH = `/api/portal/v1/organizations/${NOTABLE.partner}/attention`

const sandbox = await startSandbox()
t.teardown(sandbox.stop)

t.test('an answer for 200 customers with 60,000 plans takes the main thread a millisecond', async (t) => {
  const upstream = await startControlledUpstream(t, sandbox)
  const { url } = await startPortal(t, {
    startedSandbox: sandbox,
    env: { UPSTREAM_URL: upstream.url }
  })
  const ids = Array.from({ length: 200 }, (_, number) => `c-${number}`)
  const uuids = Array.from({ length: 300 }, (_, number) => `u-${number}`)
  const customers = ids.map((id) => ({ id, orgName: id, partnerId: NOTABLE.partner }))
  const plan = { offeringCode: 'NDS', startDate: '2026-01-01', endDate: '2099-01-01', planLimit: 5 }
  const bodies: [part: string, body: object][] = [
    ['/customers?', { _embedded: { customers } }],
    ['/devices?', { _embedded: { devices: uuids.map((deviceUuid) => ({ id: deviceUuid, deviceUuid })) } }],
    ['/subscription/', uuids.map((deviceUuid) => ({ deviceUuid, ...plan }))],
    ['alarms:search', { _embedded: { alarms: [] }, page: { totalElements: 7 } }]
  ]
  upstream.rule = ({ target }) => {
    const [, body] = bodies.find(([part]) => target.includes(part)) ?? []
    // Plans stay unread: it is their number that counts.
    if (target.includes('/metrics-detail')) return new Promise(() => {})
    return body && { status: 200, body }
  }
  const browser = await signIn(url, sandbox, 'partner.user')
  await eventually(async () => {
    const { items } = await browser.json<AttentionList>(PATH)
    return items.length === 200 && items.every(({ counts }) => counts.servicesEnded && counts.alarms)
  }, 60_000)
  const etag = (await browser.call(PATH)).headers.get('etag') ?? ''
  const costs: number[] = []
  for (let batch = 0; batch < 5; batch += 1) {
    const before = process.threadCpuUsage()
    for (let call = 0; call < 20; call += 1)
      t.equal((await browser.call(PATH, { headers: { 'if-none-match': etag } })).status, 304)
    const { user, system } = process.threadCpuUsage(before)
    costs.push((user + system) / 1000 / 20)
  }
  // The test's own calls take about another one, and a busy machine twice of all.
  t.ok(Math.min(...costs) < 4, `${costs} ms`)
})
