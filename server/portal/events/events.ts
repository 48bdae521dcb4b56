// Opens live streams: events about a customer, about the customers of an organization, and about the caller.

import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { LiveEvent } from '#shared/answers/events.ts'
import { problems } from '../../errors.ts'
import type { Limits } from '../../http/limits.ts'
import type { Recorder } from '../../observability/recorder.ts'
import { closed, id, optional } from '../../schemas.ts'
import type { CallerUser, RouteDocs } from '../../types.ts'
import { visibilityOf } from '../../upstreams/visibility.ts'
import { type PortalRoutes, signedIn } from '../request.ts'
import { openStream } from './stream.ts'
import type { Streams } from './streams.ts'
import { createSubjects, type SubjectSources } from './subjects.ts'

const EventsQuery = closed({
  customerId: optional(id('Events about this customer.', '9')),
  organizationId: optional(
    id(
      'Events about the customers of this integrator, or of the organization that the caller belongs to.',
      '1'
    )
  )
})

const DOCS: RouteDocs = {
  area: {
    name: 'Live',
    description: 'Events as soon as something has changed, so that callers need not repeat their calls.'
  },
  summary: 'Follow what changes, as server-sent events',
  description: `The first events are the present state; each further event is the complete new state of its subject. So nothing has to be replayed, and a caller that connects again has missed nothing. The events only say what has changed: get the data itself with the other calls.

- \`alarms\`: the alarms of a customer that need action. Those of \`customerId\` are read every few seconds. Those of the customers of \`organizationId\` (1,000 at most) take turns, about three upstream calls a second.
- \`counts\`: the customers of \`organizationId\`, or their counts, have changed.
- \`inventory\`: the projects or devices of \`customerId\` have changed.
- \`roles\`: the roles of the caller. A change ends the stream.
- \`end\`: the stream ends, and why. Connect again after the time that \`retry\` names; after \`session\`, with a new session or token.

A comment (a line that begins with a colon) at least every 30 seconds shows that the connection lives. A stream ends after about ten minutes: connect again. It does not extend the session, and is not counted as a call in flight. A session, or a user of a service, may have 6 streams, a person a tenth and a service a quarter of those of a replica: more are answered 429.`,
  answers: {
    200: { description: 'The name of each event and its `data`, as JSON.', events: LiveEvent }
  },
  refusals: {
    501: {
      description: 'This deployment has no live streams: repeat the other calls instead.',
      problem: 'streams_off'
    }
  }
}

/** Streams that a person, or a service with all its instances, may open within a minute. A page opens one for each customer. */
const OPENED_PER_MINUTE = 600

interface Services extends SubjectSources {
  limits: Limits
  recorder: Recorder
  streams: Streams
}

export const eventRoutes: PortalRoutes<Services> = async (app, services) => {
  const { limits, recorder, streams } = services
  // Runs before the server waits for running calls, after the drain delay (lifecycle/stop.ts).
  app.addHook('preClose', async () => streams.stop())

  app.get(
    '/events',
    {
      config: {
        id: 'portal.events',
        access: { action: 'signed-in', scope: 'anywhere', check: 'stream-subjects' },
        isStream: true,
        callsPerMinute: OPENED_PER_MINUTE,
        docs: DOCS
      },
      schema: { querystring: EventsQuery }
    },
    async (request, reply) => {
      if (reply.raw.destroyed) throw problems.clientGone()
      const caller = signedIn(request.caller)
      const rolesTag = rolesTagOf(caller.user)
      streams.add(caller, (leave) => {
        const subjects = createSubjects(services, caller, request.query, () => stream.changed())
        const stream = openStream(reply, {
          async confirm() {
            await confirm(request, rolesTag)
            await subjects.refresh()
          },
          *present() {
            yield { subject: 'roles', tag: rolesTag, event: { event: 'roles', data: { tag: rolesTag } } }
            yield* subjects.present()
          },
          onClose() {
            subjects.close()
            leave()
          },
          onSent: recorder.liveEvent,
          heartbeatMs: limits.streamHeartbeatMs,
          rotationMs: limits.streamRotationMs
        })
        return stream
      })
      return reply
    }
  )
}

/** Throws 401 after the end of the session or token, 403 if the roles have changed, 503 if they cannot be read. */
async function confirm(request: FastifyRequest, rolesTag: string): Promise<void> {
  const user = await signedIn(request.caller).currentUser()
  if (rolesTagOf(user) !== rolesTag) throw problems.rolesChanged()
  await request.confirmAccess()
}

function rolesTagOf(user: CallerUser): string {
  const assignments = user.roleAssignments.map(({ role, scope }) => `${role} ${scope}`).sort()
  return hash('sha256', JSON.stringify([visibilityOf({ user }), assignments]), 'base64url').slice(0, 16)
}
