import { useCallback, useEffect, useState } from 'react'
import { Navigate, Outlet, useLoaderData } from 'react-router-dom'
import { setResponsive } from '../../lib/layout.ts'
import { paths } from '../../lib/paths.ts'
import { type Loaded, loadBootstrap } from '../../lib/session/api.ts'
import { mayEnter } from '../../lib/session/may-open.ts'
import { ReloadContext, useSession } from '../../lib/session/session.ts'
import { SupportContext } from '../../ui/state/error-panel.tsx'
import { chooseTheme, followTheme } from '../theme.ts'
import { SessionScope } from './session-scope.tsx'

export function Portal() {
  const initialData = useLoaderData<Loaded>()
  const [loaded, setLoaded] = useState(initialData)
  const reload = useCallback(async () => setLoaded(await loadBootstrap()), [])
  const { flags, support } = loaded.bootstrap
  useEffect(() => {
    setResponsive(flags.enableMobileResponsive)
    if (flags.enableDarkTheme) return followTheme()
    chooseTheme('light')
  }, [flags])
  return (
    <SessionScope loaded={loaded}>
      <ReloadContext value={reload}>
        <SupportContext value={support}>
          <Outlet />
        </SupportContext>
      </ReloadContext>
    </SessionScope>
  )
}

/** Only people with one of the seven roles see the main area. */
export function RoleGate() {
  return mayEnter(useSession()) ? <Outlet /> : <Navigate to={paths.accessDenied} replace />
}
