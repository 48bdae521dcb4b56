import Cpu from 'lucide-react/icons/cpu'
import { Skeleton } from '../../ui/state/loading.tsx'
import { Panel } from '../../ui/state/panel.tsx'

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
