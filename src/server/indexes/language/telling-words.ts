/**
 * Words by which languages are told apart, beside the stop words. Of English, which has few of those; of languages whose stop words are much
 * like a neighbour's; and of those that are read word by word, so that a text in one of them is not taken for its neighbour.
 */
export const tellingWords: Record<string, string> = {
  en: 'i me my we our you your he him his she her it its they them their what which who whom this that these those am is are was were be been being have has had having do does did doing would should could a an the and but if or because as until while of at by for with about against between into through during before after above below to from up down in out on off over under again further then once here there when where why how all any both each few more most other some such no nor not only own same so than too very',
  da: 'så kan får gør mere flere kun samt siden både første hele sidste år mellem',
  no: 'kan får gjør flere også fikk mot sier',
  ro: 'cu pe nu în și de la o un este au fost că va sa mai din pentru care',
  sv: 'kan får samt år efter också sedan',
  tr: 've bir bu için da de ile olarak olan kadar daha en gibi sonra',
  af: 'die van en in is het nie wat met om te dat vir op sy aan hy was word as ek kan ook deur maar na haar hulle',
  az: 'və bu bir ilə üçün də da ki olan olub edib bildirib görə sonra o isə',
  be: 'і ў на з у не што да за як для гэта ад па яго але які было пра таксама',
  bg: 'на и да за в от се е с по че не са до като ще при но или който за които още това беше има съм му си тази този бъде',
  ca: 'de la i que el a en els per és amb les del un una no va al dels més com ha o han aquest aquesta són també seva però entre sobre',
  cs: 'a se v na je že s z o to do by i jsem ve ale si jako za pro jsou který po jeho bylo od již při nebo však které',
  cy: 'yn y i a o yr ar ei am wedi mae bod ac gan eu fel hyn',
  eo: 'la de kaj en estas al ke ne por mi kun li pri sed oni ili el kiel',
  et: 'ja on ei et oma ka ta see oli kui mis aga või selle kes nii siis ning seda',
  fa: 'و در به از که این را با است برای آن یک خود تا بر شد هم می ها شده ما کند',
  hr: 'i u je da se na za su od koji s kao to ne o će iz do što koja bi po ili te koje samo kako nije',
  id: 'yang dan di dengan untuk dari ini itu dalam pada tidak akan ke adalah oleh juga bisa ada kami telah mereka sebagai para karena',
  is: 'að og í á er sem til um við var en með það ekki fyrir hann af því hefur frá voru',
  lt: 'ir į kad iš su yra tai o bet kaip buvo ne jau tik po už apie dėl jis kurie nuo jo',
  lv: 'un ir ka uz no ar par kas tas ne bet arī nav lai pēc kā vai tika viņš to',
  mk: 'на и во да се за од е со ќе не што ги до го по како дека но а',
  mr: 'आणि आहे या हे ते तर व नाही होते की ही आहेत करून असे यांनी त्या मध्ये',
  pl: 'i w na z się nie do to że jest o jak od po za przez dla tym ale co oraz już są ich jego był tylko przy może także',
  sk: 'a sa v na je že s z o to do by i som vo ale si ako za pre sú ktorý po jeho bolo od už pri alebo však ktoré aj',
  sl: 'in je v na za da se z so ki pa tudi s bi o kot po ne ali pri še bo od ni ter iz',
  sq: 'të e në dhe i për që me një nuk së nga si do është ka më kjo ai janë por se',
  sr: 'и у је да се на за су од који са као то не о ће из до што која би по или',
  sw: 'ya wa na kwa ni katika za la kuwa hiyo huo cha kama hilo yake',
  tl: 'ang ng sa na mga ay at si ito ni kay para hindi ko niya',
  uk: 'і в на з що не до та у за про як для від це є його але року які після також який й щоб було були бути може все вона він вони ще так а більше',
  ur: 'کے کی میں کا ہے اور سے کو کہ نے ہیں پر اس یہ ایک بھی نہیں کر تھا گیا',
  vi: 'và của là có cho được trong không với các một những người này đã để từ khi ra về vào cũng nhiều đến như',
};

/** They are told from their neighbours and from no other: Afrikaans, Azerbaijani, Croatian (Bosnian), Esperanto, Indonesian (Malay), Marathi, Swahili, Tagalog, Welsh. */
export const neverNamed: ReadonlySet<string> = new Set([
  'af',
  'az',
  'cy',
  'eo',
  'hr',
  'id',
  'mr',
  'sw',
  'tl',
]);
