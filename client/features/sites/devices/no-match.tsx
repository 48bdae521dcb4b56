import SearchX from 'lucide-react/icons/search-x'
import type { ReactNode } from 'react'
import { unsearchableCharacters, withoutUnsearchable } from '#shared/devices.ts'
import { Panel } from '../../../ui/state/panel.tsx'

interface NoDeviceMatchesProps {
  title: string
  keyword: string
  onSearch: (keyword: string) => void
  /** Further buttons. */
  children?: ReactNode
}

/** A search for devices without matches. Names the characters that the search cannot use. */
export function NoDeviceMatches({ title, keyword, onSearch, children }: NoDeviceMatchesProps) {
  const unsearchable = unsearchableCharacters(keyword)
  const searchableText = withoutUnsearchable(keyword).trim()
  return (
    <Panel
      icon={SearchX}
      title={title}
      headingLevel={3}
      actions={
        <>
          {unsearchable.length > 0 && searchableText !== '' && (
            <button type="button" className="button primary" onClick={() => onSearch(searchableText)}>
              Search without them
            </button>
          )}
          {keyword.trim() !== '' && (
            <button type="button" className="button" onClick={() => onSearch('')}>
              Clear search
            </button>
          )}
          {children}
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
