import HardDrive from 'lucide-react/icons/hard-drive'
import SearchX from 'lucide-react/icons/search-x'
import { unsearchableCharacters, withoutUnsearchable } from '#shared/devices.ts'
import { NO_DEVICES, NO_DEVICES_HINT } from '#shared/messages.ts'
import { Panel } from '../../components/panel.tsx'

interface NoDevicesProps {
  keyword: string
  onSearch: (keyword: string) => void
}

/** None registered, none found, or none that could be found (§5): each says its own. */
export function NoDevices({ keyword, onSearch }: NoDevicesProps) {
  if (keyword.trim() === '') {
    return (
      <Panel icon={HardDrive} title={NO_DEVICES} headingLevel={3}>
        <p>{NO_DEVICES_HINT}</p>
      </Panel>
    )
  }
  const unsearchable = unsearchableCharacters(keyword)
  const rest = withoutUnsearchable(keyword).trim()
  return (
    <Panel
      icon={SearchX}
      title={`No devices match “${keyword}”`}
      headingLevel={3}
      actions={
        <>
          {unsearchable.length > 0 && rest !== '' && (
            <button type="button" className="button primary" onClick={() => onSearch(rest)}>
              Search without them
            </button>
          )}
          <button type="button" className="button" onClick={() => onSearch('')}>
            Clear search
          </button>
        </>
      }
    >
      {unsearchable.length > 0 && (
        <p>
          Search can't use these characters:{' '}
          <span className="mono unsearchable">{unsearchable.join(' ')}</span>
        </p>
      )}
    </Panel>
  )
}
