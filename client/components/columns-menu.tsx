import Columns3 from 'lucide-react/icons/columns-3'
import { type Choice, FilterMenu } from './filter-menu.tsx'

interface ColumnsMenuProps {
  choices: readonly Choice[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** Which columns of a table show. */
export default function ColumnsMenu(props: ColumnsMenuProps) {
  return (
    <span className="columns-menu" title="Columns">
      <FilterMenu
        label={
          <>
            <Columns3 className="columns-icon" />
            <span className="sr-only">Columns</span>
          </>
        }
        {...props}
      />
    </span>
  )
}
