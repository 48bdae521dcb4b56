// Pages that guards show instead of a screen.
import Building from 'lucide-react/icons/building-2'
import { useLocation } from 'react-router-dom'
import { paths } from '../../lib/paths.ts'
import { NotFound, Panel } from '../../ui/state/panel.tsx'
import { TitleBlock } from '../../ui/title-block.tsx'

export function NotFoundPage() {
  return <NotFound path={useLocation().pathname} home={paths.home} />
}

export function ChooseIntegratorPage() {
  return (
    <>
      <TitleBlock title="Choose an integrator" />
      <Panel icon={Building} title="This page belongs to an integrator">
        <p>Choose one in the navigation to see its reports, audit log and exports, and to add users.</p>
      </Panel>
    </>
  )
}
