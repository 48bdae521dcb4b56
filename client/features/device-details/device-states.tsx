import Cpu from 'lucide-react/icons/cpu'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import { Skeleton } from '../../ui/state/loading.tsx'
import { NotFound, Panel } from '../../ui/state/panel.tsx'
import { TitleBlock } from '../../ui/title-block.tsx'
import { useCustomer } from '../customers/customer.ts'

interface NoDeviceProps {
  /** False if the address names an unknown device. */
  known: boolean
}

export function NoDevice({ known }: NoDeviceProps) {
  const area = useCustomer()
  if (!known)
    return (
      <>
        <NotFound home={area.customerPath} />
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

export function DeviceSkeleton() {
  return (
    <div className="card stack device-skeleton" aria-busy="true">
      {['60%', '80%', '45%', '70%'].map((width, index) => (
        <Skeleton key={width} width={width} {...(index === 0 ? { label: 'Loading device' } : {})} />
      ))}
    </div>
  )
}

export function NoService({ reason }: { reason: string }) {
  return (
    <div className="card">
      <Panel icon={Cpu} title="Data Services is not active on this device">
        <p>{reason}.</p>
      </Panel>
    </div>
  )
}
