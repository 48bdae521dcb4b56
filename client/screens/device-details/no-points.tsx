import ListTree from 'lucide-react/icons/list-tree'
import SearchX from 'lucide-react/icons/search-x'
import { Panel } from '../../components/panel.tsx'

interface NoPointsProps {
  /** What was searched for; empty for nothing. */
  keyword: string
  filtered: boolean
  onClear: () => void
}

/** Nothing published is another thing than nothing found. */
export function NoPoints({ keyword, filtered, onClear }: NoPointsProps) {
  if (keyword === '' && !filtered)
    return (
      <Panel icon={ListTree} title="No points published by this device">
        <p>Points show here once the device publishes them.</p>
      </Panel>
    )
  const searched = keyword === '' ? '' : ` “${keyword}”`
  const sifted = filtered ? `${keyword === '' ? '' : ' and'} these filters` : ''
  return (
    <Panel
      icon={SearchX}
      title={`No points match${searched}${sifted}`}
      actions={
        <button type="button" className="button" onClick={onClear}>
          {filtered ? 'Clear filters' : 'Clear search'}
        </button>
      }
    />
  )
}
