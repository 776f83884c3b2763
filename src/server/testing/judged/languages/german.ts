import type { AskedDocument } from './language-set.ts';

export const german: AskedDocument[] = [
  [
    'Kaffee mit dem Handfilter',
    'Das Wasser soll knapp unter dem Siedepunkt sein. Gießen Sie es langsam und in Kreisen über das Pulver, insgesamt etwa drei Minuten.',
    'Wie brühe ich Kaffee von Hand auf?',
  ],
  [
    'Bremsen am Fahrrad einstellen',
    'Wenn der Bremszug zu lang geworden ist, drehen Sie die Schraube am Hebel heraus, bis die Beläge wieder fest greifen.',
    'mein Rad bremst nicht mehr richtig',
  ],
  [
    'Ausbruch eines Vulkans',
    'Magma steigt durch den Schlot auf, Gase treiben Asche und Gestein kilometerhoch in die Luft, und Lava fließt die Hänge hinab.',
    'Warum spuckt ein Berg Lava und Asche?',
  ],
  [
    'Impfungen für Kinder',
    'Die ersten Impfungen bekommt ein Säugling mit zwei Monaten. Sie schützen vor Keuchhusten, Tetanus und Kinderlähmung.',
    'Wann muss ein Baby geimpft werden?',
  ],
  [
    'Solarstrom vom eigenen Dach',
    'Eine Anlage mit zwanzig Modulen deckt den Bedarf einer Familie; was übrig bleibt, fließt gegen Vergütung ins Netz.',
    'Lohnen sich Photovoltaikmodule für ein Haus?',
  ],
  [
    'Die japanische Teezeremonie',
    'Der Gastgeber reinigt jedes Gerät vor den Augen der Gäste, schlägt den grünen Tee schaumig und reicht die Schale mit einer Verbeugung.',
    'Ablauf einer Zeremonie mit grünem Tee',
  ],
  [
    'Eröffnungen im Schach',
    'Anfänger sollten die Figuren früh entwickeln, das Zentrum besetzen und bald rochieren, statt mit der Dame anzugreifen.',
    'gute erste Züge beim Schachspielen',
  ],
  [
    'Brot aus Sauerteig',
    'Der Teig ruht über Nacht und wird am Morgen bei großer Hitze mit viel Dampf gebacken, damit die Kruste aufreißt.',
    'Rezept für ein Sauerteigbrot mit knuspriger Kruste',
  ],
  [
    'Verhalten bei einem Erdbeben',
    'Gehen Sie unter einen festen Tisch, halten Sie sich von Fenstern fern und laufen Sie nicht ins Treppenhaus.',
    'Was tun, wenn die Erde bebt?',
  ],
  [
    'Die Wanderung der Buckelwale',
    'Im Herbst ziehen die Tiere aus den kalten Meeren in die Tropen, wo sie ihre Kälber zur Welt bringen.',
    'Wohin schwimmen Wale im Winter?',
  ],
  [
    'Die erste Eisenbahn in Deutschland',
    'Seit 1835 fuhr eine Dampflokomotive zwischen Nürnberg und Fürth; die Fahrt dauerte neun Minuten.',
    'älteste deutsche Bahnstrecke',
  ],
  [
    'Bienen im Garten',
    'Wer Lavendel, Thymian und wilde Blumen pflanzt und auf Gift verzichtet, hilft den Insekten, Nahrung zu finden.',
    'Welche Pflanzen locken Bienen an?',
  ],
  [
    'Ein Fahrzeug auf dem Mars',
    'Der Rover bohrt Gestein an und sucht nach Spuren früheren Lebens; Bilder braucht er zwanzig Minuten bis zur Erde.',
    'Roboter sucht Leben auf einem anderen Planeten',
  ],
  [
    'Wie Olivenöl entsteht',
    'Die Früchte werden im November geerntet, gewaschen, zu Brei gemahlen und kalt gepresst.',
    'Herstellung von Öl aus Oliven',
  ],
  [
    'Training für den ersten Marathon',
    'Vier Läufe in der Woche reichen. Der lange Lauf am Sonntag wächst langsam bis auf zweiunddreißig Kilometer.',
    'Plan zum Laufen von 42 Kilometern',
  ],
  [
    'Hilfe bei Schlaflosigkeit',
    'Gehen Sie immer zur gleichen Zeit ins Bett, lassen Sie das Telefon draußen und trinken Sie abends keinen Kaffee.',
    'ich kann nachts nicht schlafen',
  ],
  [
    'Hochwasser am Fluss',
    'Nach tagelangem Regen trat der Rhein über die Ufer; Keller liefen voll und Straßen wurden gesperrt.',
    'Überschwemmung nach starkem Regen',
  ],
  [
    'Glasbläser bei der Arbeit',
    'Mit einer langen Pfeife nimmt der Handwerker die glühende Masse aus dem Ofen und formt sie durch seinen Atem zur Vase.',
    'Wie macht man Vasen aus Glas?',
  ],
  [
    'Einen Reisepass verlängern',
    'Ein abgelaufener Pass wird nicht verlängert, sondern neu beantragt. Bringen Sie ein Foto und den alten Ausweis ins Bürgeramt mit.',
    'Mein Pass ist abgelaufen, wo bekomme ich einen neuen?',
  ],
  [
    'Erziehung eines jungen Hundes',
    'Loben Sie den Welpen sofort, wenn er sich setzt, und üben Sie jeden Tag nur wenige Minuten.',
    'Wie lernt ein Welpe zu gehorchen?',
  ],
  [
    'Tomaten auf dem Balkon',
    'Große Töpfe, sechs Stunden Sonne und jeden Morgen Wasser: So tragen die Stauden bis in den Oktober.',
    'Gemüse im Topf anbauen',
  ],
  [
    'Fotografieren bei Nacht',
    'Ein Stativ, eine lange Belichtung und eine niedrige Empfindlichkeit geben scharfe Bilder von Sternen und Lichtern.',
    'scharfe Fotos vom Sternenhimmel',
  ],
  [
    'Steuern für Selbständige',
    'Wer freiberuflich arbeitet, gibt die Erklärung bis Juli ab und setzt Büro, Reisen und Geräte von der Steuer ab.',
    'Was kann ein Freiberufler absetzen?',
  ],
  [
    'Eine Nacht in der Berghütte',
    'Reservieren Sie früh, bringen Sie einen leichten Schlafsack mit und brechen Sie vor Sonnenaufgang zum Gipfel auf.',
    'Übernachten beim Wandern in den Alpen',
  ],
];
