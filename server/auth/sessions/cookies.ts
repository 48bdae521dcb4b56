// The gateway's cookies: host-only, and on https out of reach of other hosts and of plain http (RFC 10017, section 6.1).

export type CookieRules = ReturnType<typeof cookieRules>

export function cookieRules(publicUrl: string) {
  const secure = publicUrl.startsWith('https:')
  const prefix = secure ? '__Host-' : ''
  const shared = { path: '/', httpOnly: true, secure } as const
  return {
    secure,
    /** A sign-in attempt's cookie has this prefix and the attempt's own name after it. */
    names: { session: `${prefix}portal`, attemptPrefix: `${prefix}portal-signin-` },
    session: { ...shared, sameSite: 'strict' },
    /** Lax: the authority sends the browser back from another site. */
    attempt: { ...shared, sameSite: 'lax' }
  } as const
}
