// Schemas of the answers of /auth: the state of the session, the person's sessions, and sign-out.
import Type, { type Static } from 'typebox'
import { oneOf, optional, text, textOrNull, time } from './parts.ts'

export const SessionState = Type.Object({
  authenticated: Type.Boolean(),
  expires_in: Type.Number({ description: 'In seconds.' }),
  expired: Type.Boolean(),
  final: optional(
    Type.Boolean({
      description:
        'The session cannot be extended: it has reached its maximum length or has no refresh token.'
    })
  ),
  ended: optional(
    oneOf(
      ['authority', 'person', 'newer'],
      'The session was ended by the authority, by the person in another browser, or by a newer sign-in.'
    )
  )
})
/** Answer of `GET /auth/session` and `POST /auth/session/renew`. */
export type SessionState = Static<typeof SessionState>

const OwnSession = Type.Object({
  id: text("The id in `/auth/sessions/{id}`, not the cookie's value."),
  browser: textOrNull('The browser at sign-in; null if unknown.'),
  system: textOrNull(),
  network: textOrNull('The start of the address at sign-in, such as `203.0.113.*`; null if unknown.'),
  since: time(),
  lastUsed: time('Exact to a minute.'),
  current: Type.Boolean({ description: 'Whether the call was made in this session.' })
})
/** One of the caller's sessions. */
export type OwnSession = Static<typeof OwnSession>

export const OwnSessions = Type.Object({ sessions: Type.Array(OwnSession) })
/** Answer of `GET /auth/sessions`, the most recently used session first. */
export type OwnSessions = Static<typeof OwnSessions>

export const LogoutFrames = Type.Object({ frames: Type.Array(text()) })
export type LogoutFrames = Static<typeof LogoutFrames>

export const SignedOut = Type.Object({
  redirect: text('Where the browser ends its session at the authority.')
})
export type SignedOut = Static<typeof SignedOut>
