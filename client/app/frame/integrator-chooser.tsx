import { matchPath, useLocation, useNavigate } from 'react-router-dom'
import { ORGANIZATION_SCREENS } from '#shared/screens.ts'
import { paths } from '../../lib/paths.ts'
import { useOrganization } from '../../lib/session/organization.ts'
import { Combobox } from '../../ui/input/combobox.tsx'
import { LoadFailed } from '../../ui/state/load-failed.tsx'

interface ChooserProps {
  onChosen: (() => void) | undefined
}

/** Patterns of pages that stay open when the person chooses another integrator. */
const INTEGRATOR_PAGES: string[] = [
  ...Object.values(ORGANIZATION_SCREENS).map(({ path }) => path),
  paths.allAlarms,
  paths.users,
  paths.addUser
]

export function IntegratorChooser({ onChosen }: ChooserProps) {
  const { integrators: list, chosen } = useOrganization()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  if (!list) return null
  if (list.error && !list.data) {
    return <LoadFailed onRetry={list.refetch}>Integrators could not be loaded.</LoadFailed>
  }
  const options = (list.data ?? []).map(({ id, orgName }) => ({ id, name: orgName }))
  return (
    <Combobox
      label="Integrator"
      placeholder={list.data ? 'Choose an integrator' : 'Loading…'}
      options={options}
      chosen={chosen?.orgName ? { id: chosen.id, name: chosen.orgName } : null}
      emptyText={
        options.length > 0
          ? 'No integrator has this name.'
          : 'No integrator has tech support access turned on.'
      }
      onChoose={({ id }) => {
        const stays = INTEGRATOR_PAGES.some((pattern) => matchPath(pattern, pathname))
        navigate(stays ? paths.withIntegrator(pathname, id) : paths.integrator(id))
        onChosen?.()
      }}
    />
  )
}
