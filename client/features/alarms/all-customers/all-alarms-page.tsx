import type { ReactNode } from 'react'
import { useOrganization } from '../../../lib/session/organization.ts'
import { useTrail } from '../../../lib/session/use-trail.ts'
import { TitleBlock } from '../../../ui/title-block.tsx'
import { AlarmBoard } from '../alarms/alarm-board.tsx'
import { useOrganizationScope } from '../alarms/scope.ts'
import { NotifyButton } from '../desktop-notifications/notify-button.tsx'

export default function AllAlarmsPage() {
  const organization = useOrganization()
  const trail = useTrail()
  const title = (live: ReactNode) => (
    <TitleBlock
      title="Alarms"
      crumbs={[...trail, { label: 'Alarms' }]}
      facts={
        <>
          {[organization.name, 'all customers'].filter(Boolean).join(' · ')}
          {live && <> · {live}</>}
        </>
      }
      actions={<NotifyButton />}
    />
  )
  return organization.id === null ? title(null) : <AllAlarms organizationId={organization.id} title={title} />
}

interface AllAlarmsProps {
  organizationId: string
  title: (live: ReactNode) => ReactNode
}

function AllAlarms({ organizationId, title }: AllAlarmsProps) {
  return <AlarmBoard scope={useOrganizationScope(organizationId)} title={title} />
}
