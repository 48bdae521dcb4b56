import { paths } from '../../../lib/paths.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { ErrorPanel } from '../../../ui/state/error-panel.tsx'
import { TitleBlock } from '../../../ui/title-block.tsx'
import { useCustomer } from '../../sites/customers/customer.ts'
import { NotifyButton } from '../desktop-notifications/notify-button.tsx'
import { AlarmList } from './alarm-list.tsx'

export default function AlarmsPage() {
  const { customerPath, orgName, can, trail, error, busy, reload } = useCustomer()
  return (
    <>
      <TitleBlock
        title="Alarms"
        crumbs={[...trail, { label: 'Alarms' }]}
        facts={orgName ?? '\u00a0'}
        actions={
          <>
            <NotifyButton />
            {can('data:query-model') && (
              <PrefetchLink to={paths.dataService(customerPath)} className="button">
                Data Service
              </PrefetchLink>
            )}
          </>
        }
      />
      {error !== undefined ? (
        <ErrorPanel error={error} busy={busy} reload={reload} />
      ) : (
        <AlarmList device={null} />
      )}
    </>
  )
}
