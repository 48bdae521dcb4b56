import { useState } from 'react'
import { SearchField } from '../../../ui/input/search-field.tsx'

/** The tags of a point by name and value, searched in place. */
export function PointTags({ tags }: { tags: Record<string, string> }) {
  const [keyword, setKeyword] = useState('')
  const wanted = keyword.trim().toLowerCase()
  const all = Object.entries(tags)
  const shown = all.filter((pair) => pair.some((text) => text.toLowerCase().includes(wanted)))
  return (
    <section className="card" aria-labelledby="tags-heading">
      <div className="card-head">
        <h2 id="tags-heading">Tags</h2>
        <span className="muted">{all.length}</span>
        <SearchField label="Search tags" value={keyword} onSearch={setKeyword} debounceMs={0} />
      </div>
      <div className="card-body">
        {shown.length > 0 ? (
          <dl className="facts-list">
            {shown.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd className="mono">{value}</dd>
              </div>
            ))}
          </dl>
        ) : (
          <p className="muted" role="status">
            {all.length === 0 ? 'This point has no tags.' : `No tag matches “${keyword.trim()}”.`}
          </p>
        )}
      </div>
    </section>
  )
}
