import Cpu from 'lucide-react/icons/cpu'
import { NotFound } from '../../components/not-found.tsx'
import { Panel } from '../../components/panel.tsx'
import { PrefetchLink } from '../../components/prefetch-link.tsx'
import { TitleBlock } from '../../components/title-block.tsx'
import type { CustomerArea } from '../../session/use-customer-area.ts'

interface NoDeviceProps {
  area: CustomerArea
  /** False for a device that the address names and that there is not. */
  known: boolean
  path: string
}

export function NoDevice({ area, known, path }: NoDeviceProps) {
  if (!known)
    return (
      <>
        <NotFound path={path} home={area.customerPath} />
        <p className="lone-action">
          <PrefetchLink to={area.customerPath}>Back to devices</PrefetchLink>
        </p>
      </>
    )
  return (
    <>
      <TitleBlock title="Device Details" crumbs={[...area.trail, { label: 'Device Details' }]} />
      <div className="card">
        <Panel
          icon={Cpu}
          title="No device chosen"
          actions={
            <PrefetchLink to={area.customerPath} className="button">
              Back to devices
            </PrefetchLink>
          }
        >
          <p>Choose a device to see its points and alarms.</p>
        </Panel>
      </div>
    </>
  )
}
