// Roles that are changed while somebody works: asked for twice a minute while the page is seen, and whenever a call is
// refused. Then what may be seen is shown anew, and the person is told.
import { useContext, useEffect } from 'react'
import type { Me } from '#shared/entities.ts'
import { ACCESS_CHANGED } from '#shared/messages.ts'
import { ReloadContext, useSession } from '../../features/session/session.ts'
import { request } from '../../lib/http/request.ts'
import { refusal } from '../../lib/http/sign-in.ts'
import { toasts } from '../../ui/state/toasts.ts'
import { accessOf } from './session-scope.tsx'

/** With the gateway reading roles anew for it, a change shows within a minute. */
const ASK_EVERY_MS = 30_000

export function useAccessWatch(): void {
  const { user } = useSession()
  const reload = useContext(ReloadContext)
  const known = accessOf(user)
  useEffect(() => {
    let asking = false
    let askedAtMs = performance.now()
    async function ask() {
      if (asking) return
      asking = true
      askedAtMs = performance.now()
      try {
        const me = await request<Me>('/api/portal/v1/me', { background: true })
        // Somebody else who has signed in since is told of elsewhere.
        if (me.user.id !== user.id || accessOf(me.user) === known) return
        await reload()
        toasts.info(ACCESS_CHANGED)
      } catch {
        // What is known goes on; the gateway decides every call.
      } finally {
        asking = false
      }
    }
    const timer = setInterval(() => {
      if (!document.hidden) void ask()
    }, ASK_EVERY_MS)
    const look = () => {
      if (!document.hidden && performance.now() - askedAtMs >= ASK_EVERY_MS) void ask()
    }
    document.addEventListener('visibilitychange', look)
    refusal.noted = () => void ask()
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
      refusal.noted = () => {}
    }
  }, [known, reload, user.id])
}
