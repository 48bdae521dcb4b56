// Answers that hold a secret are kept by nobody on the way, the caller's browser included (RFC 9111 §5.2.2.5).
import t from 'tap'
import { PROXY_TABLE } from '#server/proxy/table.ts'
import { NOTABLE, NOTABLE_DEVICES } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'

const MANAGEMENT = '/api/v2/management'
const SCOPE = `/organizations/${NOTABLE.partner}/customers/${NOTABLE.northwind}`
const portal = await startPortal(t)
const browser = await portal.as('partner.admin')

const send = (path: string, body: object) =>
  browser.call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-customer-id': NOTABLE.northwind },
    body: JSON.stringify(body)
  })
const cachingOf = (answer: Response) => answer.headers.get('cache-control')

t.test('the secret of a service account is stored nowhere, made with it or made anew', async (t) => {
  const created = await send(`${MANAGEMENT}/serviceAccounts`, {
    serviceName: 'Night Reader',
    description: '',
    roleAssignments: [{ role: '/roles/5', scope: SCOPE }],
    customer: `/organizations/${NOTABLE.northwind}`,
    partner: `/organizations/${NOTABLE.partner}`
  })
  t.equal(created.status, 201)
  t.equal(cachingOf(created), 'no-store')
  const { id } = (await created.json()) as { id: string }
  const expiration = new Date(Date.now() + 86_400_000).toISOString()
  for (const turn of ['first', 'second']) {
    const made = await send(`${MANAGEMENT}/serviceAccounts/${id}/secret`, { expiration })
    t.equal(made.status, 200)
    t.match(await made.clone().json(), { secret: /^.{20,}$/ })
    t.equal(cachingOf(made), 'no-store', `the ${turn} one`)
    t.equal(made.headers.get('etag'), null)
  }
  const read = await browser.call(`${MANAGEMENT}/serviceAccounts/${id}`, {
    headers: { 'x-customer-id': NOTABLE.northwind }
  })
  t.notMatch(await read.text(), /"secret"\s*:/, 'it is told once')
  t.equal(cachingOf(read), 'private, no-cache', 'what holds none may be asked for again')
})

t.test('an address that opens a device by itself, and a file, are stored nowhere', async (t) => {
  const device = portal.sandbox.state.devices.get(NOTABLE_DEVICES.airHandler)
  const opened = await send(
    `/api/v1/remote/customers/${NOTABLE.northwind}/devices/${device?.deviceUuid}/session`,
    {}
  )
  t.equal(opened.status, 200)
  t.equal(cachingOf(opened), 'no-store')

  const backups = `/api/v1/recover/customers/${NOTABLE.northwind}/backups`
  const list = await browser.json<{ _embedded: { backups: { id: string; status: string }[] } }>(backups)
  const complete = list._embedded.backups.find(({ status }) => status === 'COMPLETE')
  const file = await browser.call(`${backups}/${complete?.id}/download`)
  t.equal(file.status, 200)
  t.equal(cachingOf(file), 'no-store')
  await file.body?.cancel()
})

t.test('the rows whose answers hold a secret are these', async (t) => {
  const telling = PROXY_TABLE.filter(({ tellsSecret }) => tellsSecret).map(({ id }) => id)
  t.strictSame(telling.sort(), ['remote.connect', 'service-accounts.create', 'service-accounts.new-secret'])
})
