const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Words that say nothing about a task: left out wherever they stand. */
export const STOP_WORDS = words(`
a about above after again against all also am an and any are aren as at be because been before being below between both but by
can cannot could did do does doesn doing don done down during each either else ever every few for from further get gets getting
give given gives go goes going got had has hasn have having he her here hers him his how however i if in into is isn it its
itself just let lets like ll may maybe me might more most much must my myself neither no nor not now of off often on once one
only onto or other others our ours out over own per please put rather re really s same shall she should shouldn since so some
something somewhere still such t than that the their theirs them then there these they thing things this those though through
to too toward towards two under until up upon us ve very via want wants was wasn way we well were weren what whatever when
where whether which while who whoever whom whose why will with within without won would yes yet you your yours
able already always another anything around away back become becomes better big came come comes etc even exactly far first
good instead keep kept know known last later least less little long look looks made many need needed needs never new next nice
old important com example examples acme www quick quickly right sure take taken takes three try until usual usually want
`);

/** Words of nearly every task: what they add to a score is little, whatever the corpus says of them. */
export const WEAK_WORDS = words(`
add adds added adding api app application applications apps backend build building builds button call called calls change
changed changes changing class click code component components create created creates creating current customer customers
develop display endpoint endpoints enable existing explain feature features field fields find fix frontend function functions
handle handler handlers handles handling help implement implementation implementing implements improve item items library
make makes making method methods module modules name names object objects option options page pages people person post
program project provide refactor remove render request requests response return returned returns returning route routes run
running runs screen script section send sending sends sent server servers service services set sets setting setup show showing
shown shows simple site small start step steps store stores support system team teams test tests text time tool type
update updated updates updating use used user users uses using value values view web website work works working write writes
writing number table list lists line lines read reads reading open opens save saves large fast slow nightly daily button
aspnet axum boot csharp django dotnet express fastapi flask golang java javascript kotlin laravel nestjs node nodejs php python
rails react ruby rust spring typescript vue angular svelte
box color colour style layout animation tab menu chart week day days hour hours minute minutes
`);
