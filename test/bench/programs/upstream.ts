// A fast upstream: answers 2 KB of JSON to any call, and 200 KB for organizations 2000 to 2999.
import { createServer } from 'node:http'
import { MY_USER, myUser } from './person.ts'

const BODY_BYTES = 2048
const LARGE_BODY = Buffer.from(JSON.stringify({ filler: 'x'.repeat(200 * 1024) }))
const OF_LARGE_CUSTOMER = /\/organizations\/2\d\d\d\//
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
  if (OF_LARGE_CUSTOMER.test(url))
    return response.writeHead(200, { ...type, 'content-length': LARGE_BODY.length }).end(LARGE_BODY)
  response.writeHead(200, headers).end(body)
})
// Longer than any run, so that no connection closes during it.
server.keepAliveTimeout = 600_000
server.listen(Number(process.env.PORT), '127.0.0.1')
