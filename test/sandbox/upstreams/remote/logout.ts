// The remote host: it forgets the caller's remote sessions when told so with a bearer token.
import type { Upstream } from '../../api/upstream.ts'

export const remoteLogout: Upstream = (api) => {
  // With or without a path of its own before it: where the remote host is, is a setting of the gateway.
  for (const host of ['', '/remote'])
    api.post(`${host}/noproxy/bearer-logout`, async (_request, reply) => reply.code(204).send())
}
