import Building from 'lucide-react/icons/building-2'
import { Panel } from '../../ui/state/panel.tsx'
import { TitleBlock } from '../../ui/title-block.tsx'

export default function ChooseIntegrator() {
  return (
    <>
      <TitleBlock title="Choose an integrator" />
      <Panel icon={Building} title="This page belongs to an integrator">
        <p>Choose one in the navigation to see its reports, audit log and exports, and to add users.</p>
      </Panel>
    </>
  )
}
