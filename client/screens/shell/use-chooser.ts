import { type ComponentType, useEffect, useState } from 'react'
import { isGlobalAdmin } from '../../lib/landing.ts'
import { useSession } from '../../session/session.ts'
import type { ChooserProps } from './integrator-chooser.tsx'

/** The integrator chooser, fetched for global admins only, and before the drawer that shows it opens. */
export function useChooser(): ComponentType<ChooserProps> | null {
  const globalAdmin = isGlobalAdmin(useSession())
  const [chooser, setChooser] = useState<ComponentType<ChooserProps> | null>(null)
  useEffect(() => {
    if (!globalAdmin) return
    import('./integrator-chooser.tsx').then(
      (loaded) => setChooser(() => loaded.default),
      () => {}
    )
  }, [globalAdmin])
  return chooser
}
