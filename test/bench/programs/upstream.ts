// A fast upstream: answers 2 KB of JSON to any call, and 200 KB for organizations 2000 to 2999.
import { createServer } from 'node:http'
import { MY_USER, myUser } from './person.ts'

const BODY_BYTES = 2048
const LARGE_BODY = Buffer.from(JSON.stringify({ filler: 'x'.repeat(200 * 1024) }))
const OF_LARGE_CUSTOMER = /\/organizations\/2\d\d\d\//
const organization = {
  id: '1000',
  orgName: 'A customer',
  partnerId: '7',
  projectCount: 3,
  deviceCount: 40,
  filler: ''
}
const body = Buffer.from(
  JSON.stringify({ ...organization, filler: 'x'.repeat(BODY_BYTES - JSON.stringify(organization).length) })
)

const server = createServer((request, response) => {
  const { url = '', headers } = request
  request.resume()
  const bytes = url === MY_USER ? myUser(headers.authorization) : bodyOf(url)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length }).end(bytes)
})

function bodyOf(url: string): Buffer {
  const [, id] = /\/organizations\/(\d+)$/.exec(url) ?? []
  if (id === undefined) return OF_LARGE_CUSTOMER.test(url) ? LARGE_BODY : body
  return Buffer.from(JSON.stringify({ ...organization, id, partnerId: id === '7' ? null : '7' }))
}

// Longer than any run, so that no connection closes during a run.
server.keepAliveTimeout = 600_000
server.listen(Number(process.env.PORT), '127.0.0.1')
