import FileDown from 'lucide-react/icons/file-down'
import SearchX from 'lucide-react/icons/search-x'
import { Panel } from '../../components/panel.tsx'

interface NoExportsProps {
  filtered: boolean
  mayStart: boolean
  onStart: () => void
  onClear: () => void
}

export function NoExports({ filtered, mayStart, onStart, onClear }: NoExportsProps) {
  if (filtered) {
    return (
      <Panel
        icon={SearchX}
        title="No exports match these filters"
        actions={
          <button type="button" className="button" onClick={onClear}>
            Clear filters
          </button>
        }
      />
    )
  }
  return (
    <Panel
      icon={FileDown}
      title="No exports yet"
      actions={
        mayStart && (
          <button type="button" className="button primary" onClick={onStart}>
            New export
          </button>
        )
      }
    >
      <p>An export writes the history of any number of points to a file, in the background.</p>
    </Panel>
  )
}
