import '../../../support/client/dom.ts'
import { cleanup, render } from '@testing-library/react'
import t from 'tap'
import { DataTable } from '#client/ui/list/data-table.tsx'

t.test('a column is as wide as it says, and one that says nothing shares the rest', async (t) => {
  t.teardown(cleanup)
  const cell = (row: string) => row
  const shown = render(
    <DataTable
      caption="Names"
      columns={[
        { id: 'name', header: 'Name', sort: 'name', width: '15%', cell },
        { id: 'note', header: 'Note', cell }
      ]}
      rows={['a']}
      rowKey={cell}
      status=""
    />
  )
  const widthOf = (name: string) => shown.getByRole('columnheader', { name }).style.width
  t.equal(widthOf('Name'), '15%')
  t.equal(widthOf('Note'), '')
})
