// An upstream that costs next to nothing: 2 KB of JSON for any call, and for any file that it leads to; 200 KB for
// organizations from 2000 on. Of customer 1 it has answers and files of 8 MB, and a call for its reports hangs.
import { createServer } from 'node:http'
import { MY_USER, myUser } from './person.ts'

const BODY_BYTES = 2048
const LARGE_BODY = Buffer.from(JSON.stringify({ filler: 'x'.repeat(200 * 1024) }))
const OF_LARGE_CUSTOMER = /\/organizations\/2\d\d\d\//
const BIG = Buffer.from(
  JSON.stringify({ _embedded: { alarms: Array(80_000).fill({ uuid: 'a', filler: 'x'.repeat(80) }) } })
)
const OF_BIG_CUSTOMER = /\/(?:customers|charts-and-reports|files)\/1(?:\/|$)/
const facts = {
  id: '1000',
  orgName: 'A customer',
  partnerId: '7',
  projectCount: 3,
  deviceCount: 40,
  filler: ''
}
const filler = 'x'.repeat(BODY_BYTES - JSON.stringify(facts).length)
const body = Buffer.from(JSON.stringify({ ...facts, filler }))
const type = { 'content-type': 'application/json' }
const headers = { ...type, 'content-length': body.length }

const server = createServer((request, response) => {
  const { url = '', headers: asked } = request
  request.resume()
  if (url === MY_USER) {
    const user = myUser(asked.authorization)
    return response.writeHead(200, { ...type, 'content-length': user.length }).end(user)
  }
  const [, organization] = /\/organizations\/(\d+)$/.exec(url) ?? []
  if (organization !== undefined) {
    const known = Buffer.from(
      JSON.stringify({ ...facts, id: organization, partnerId: organization === '7' ? null : '7' })
    )
    return response.writeHead(200, { ...type, 'content-length': known.length }).end(known)
  }
  const [, customer] = /customers\/(\d+)\/.*\/download$/.exec(url) ?? []
  if (customer !== undefined) return response.writeHead(302, { location: `/files/${customer}` }).end()
  if (OF_BIG_CUSTOMER.test(url)) {
    if (url.endsWith('/reports')) return
    if (/\/backups$|alarms:search|^\/files\//.test(url))
      return response.writeHead(200, { ...type, 'content-length': BIG.length }).end(BIG)
  }
  if (OF_LARGE_CUSTOMER.test(url))
    return response.writeHead(200, { ...type, 'content-length': LARGE_BODY.length }).end(LARGE_BODY)
  response.writeHead(200, headers).end(body)
})
// Longer than any run: no connection is closed under a call that is just being sent.
server.keepAliveTimeout = 600_000
server.listen(Number(process.env.PORT), '127.0.0.1')
