/**
 * Passwords and words that lists of leaked passwords are full of, lower case. `password-rules.ts` takes off case, letter-for-digit swaps
 * and what hangs on either end before it looks here, so that each entry stands for its hundreds of variants.
 */
const list = `
000000 00000000 00112233 01010101 01020304 01234567 0123456789 100200300 101010 10101010 102030 10203040
111111 11111111 1111111111 11112222 112233 11223344 1122334455 121212 12121212 12131415 123123 123123123
123321 12341234 12344321 1234512345 123454321 1234554321 123456 1234567 12345678 123456789 1234567890
12345678910 123456789a 12345678a 1234567a 123456a 12345qwert 1234abcd 1234qwer 123abc 123asd 123qwe
123qweasd 123qweasdzxc 12qwaszx 131313 13131313 13579 135790 1357924680 141414 147258 14725836 147258369
147852 147896325 151515 159357 159753 18181818 19871987 19901990 1a2b3c4d 1q2w3e 1q2w3e4r 1q2w3e4r5t
1qaz1qaz 1qaz2wsx 1qaz2wsx3edc 1qazwsx 1qazxsw2 20002000 202020 20202020 222222 22222222 232323 246810
24681012 252525 258456 27182818 2wsx3edc 31415926 321321 321654 333333 33333333 3edc4rfv 444444 44444444
456123 456456 456789 4rfv5tgb 50cent 555555 55555555 5tgb6yhn 654321 666666 66666666 696969 69696969
6yhn7ujm 741852 741852963 7654321 777777 7777777 77777777 789456 789456123 789789 852456 87654321 888888
88888888 963852741 987654 9876543 98765432 987654321 9876543210 999999 99999999 a123456 a1234567
a12345678 a123456789 a1b2c3 a1b2c3d4 aa123456 aaa111 aaaaaaaa aaaabbbb aabbccdd abc123 abc1234 abc12345
abc123456 abc123abc abcabc abcd123 abcd1234 abcde123 abcdef abcdefg abcdefgh access access123 access14
accord acdc achilles acmilan adgangskode admin admin01 admin1 admin123 admin1234 admin12345 admin123456
admin2020 admin@123 adminadmin administrador administrator adrian adriana africa airforce alabama alaska
alejandra alejandro alexander alexandra alexandre alexis alligator alpha alphabet alphabeta always
amanda amber america amsterdam andrea andreas andrew andrew1 android angel angel1 angel123 angela
angelica angelina angels animal animals anthony antonio anything apollo apollo13 apple apple123 applepie
april architect argentina ariel arizona army arsenal arsenal1 arthur artist asd123 asdasd asdasd123 asdf
asdf1234 asdfasdf asdfasdf1 asdfgh asdfghjk asdfghjkl asdfghjkl1 asdfghjkloe asdfjkl asdfqwer ashley
ashley1 assassin assassins asshole athena athens atlanta audi august austin austin1 australia autumn
avengers azerty azerty123 azertyui azertyuiop baby babybaby babyboy babygirl babygirl1 babylove bacon
bailey bailey1 ballet baltimore bambi banana bananas bandido bandit bandit1 bangalore bangkok bangladesh
bank barbara barbie barbie1 barca barcelona barcelona1 barney bart baseball baseball1 basketball bass
bassman batman batman1 batman123 batterystaple bayern bayernmunich bear bears beatles beatles1 beatriz
beijing belgium believe believer bella belle benfica benjamin berlin bernard besiktas bestfriend
bestfriends beta beyonce bgt5vfr4 bible bigdaddy bigdick biology bitch bitches biteme black blackberry
blackbird blackcat blackhole blackjack blackout blessed blessed1 blessing blink-182 blink182 blossom
blue blue123 blueberry bluebird blueeyes bluesky bmwm3 bobmarley boca boomer boomer1 boston boston1
boyfriend bradley brandon brasil brasil123 braves brazil brenda britain britney brittany broncos brother
brown brownie bruno bubbles bubbles1 budweiser bulldog bulldogs bulls bullshit bunny bunny123 business
buster buster1 butter buttercup buttercup1 butterfly butterfly1 butterscotch cadillac california
california1 callofduty camaro camel camille canada candy candycane cantremember captain captain1 caramel
cardinals carlos carmen carolina carolina1 caroline carrot cartman cash casper catdog catherine cats
catwoman cde34rfv cecilia celtic celtics cft6vgy7 challenger change changeit changeme changeme1 charger
charizard charles charlie charlie1 cheese cheeseburger cheesecake chelsea chelsea1 chelseafc chemistry
cherry chester chester1 chevrolet chevy chewbacca cheyenne chicago chicago1 chicken chicken1 children
chile china chinese chloe chocolat chocolate christ christian christina christine christophe christopher
church cinderella cinnamon cisco civic class claudia cleveland clinton cloud clouds cobra cocacola
cocacola1 coco cocoa cocobean coffee coldplay college colombia colorado commando company computador
computer computer1 contrasena contraseña cookie cookie123 cookiemonster cookies cooper corinthians
corolla corona correcthorse correcthorsebatterystaple corvette cosmos counterstrike courtney cowboy
cowboys cricket cristian cristina crocodile crystal crystal1 cubs cupcake cynthia daddy daddygirl
daddysgirl daisy daisy123 dakota dallas dance dancer dancer1 dancing daniel daniel1 daniela danielle
darthvader database david1234 deadpool debian deborah december default delhi delta demo demo1234
demodemo demon denise denmark dennis denver designer desktop destiny destiny1 destroy destroyer detroit
deutschland devil dexter dexter1 diablo diamond diamond1 diamonds diana digimon doctor dodge dodgers
dogdog doggie doggy dollar dollars dolphin dolphins dominic dominique donald donald1 donaldduck
donaldtrump dontknow dortmund douglas dragon dragon123 dragonball dragonballz dragons drdre dream
dreamcatcher dreamer dreams driver drpepper drummer drums ducati duck ducky duke eagle eagles eagles1
earth edcrfv eduardo edward eeyore egypt eleanor elephant eleven elizabeth elmo elsa elvis elvispresley
emerald eminem eminem1 emmanuel engineer engineering england english enrique enter enterenter ernesto
espana esteban eugene evanescence everton everyone everything example facebook facebook1 faith faith123
falcon falcons fallout falloutboy family family1 familyguy fantasy father fdsa february felicia
fenerbahce fernanda fernando ferrari ferrari1 finland fire fireball firebird firefire firefly fireman
first fish fisherman fishing flamengo florence florian florida flower flower123 flowerpower flowers
fluffy fluffy1 football football1 footballs forest forever forever21 forgetit forgot forgotten fortnite
foxes foxy france francia francisco franklin freddy frederic freedom freedom1 french friday friends
friends1 friendship frodo frozen fucker fuckme fuckoff fuckyou fuckyou1 fuckyou2 funny futurama gabriel
gabriela galatasaray galaxy galaxy123 gameboy gamecube gamma gandalf garden garfield garfield1 general
george georgia gerald german germany ghjkl giants gilbert ginger ginger1 giovanni giraffe girlfriend
gizmo gizmo1 gladiator gmail godbless godisgood godislove godzilla goku gold golden goldfish golfer
golfing goodbye goodluck goodmorning goofy google google123 gorilla grandma grandpa gray greece green
greenday greenday1 greentea gregory guest guest123 guestguest guillermo guinness guitar guitar1
guitarhero guitarist gunner gustavo hacked hacker hackers halflife halo hamburg hamburger hamster hannah
happiness happy happy123 happyday happyness hardware harley harley1 harley12 harleydavidson harmony
harold harrison haslo hawaii hawk heat heather heaven heavenly heavymetal heineken hell hello hello1
hello12 hello123 hello1234 hellohello hellokitty hellokitty1 helloworld henry herbert hercules hershey
hiphop hippo history hjkl hockey holland homer honda honey honeybee honeymoon hongkong hope horse horses
hospital hotgirl hotmail hotstuff hottie houston howard hulk hundred hunter hunter2 hunting hurricane
husband iamgod iamlegend iamme iamtheone icecream iceman idontknow ihateyou ihateyou1 ilovegod iloveher
ilovehim ilovejesus iloveme ilovemom ilovemyfamily ilovemyself iloveu iloveyou iloveyou! iloveyou1
iloveyou12 iloveyou123 iloveyou2 imagine imissyou india india123 indians indigo indonesia instagram
inter internet internet1 iphone ireland ireland1 ironman isabel isabella isabelle istanbul italia
italian italy itsasecret itsme itsme123 jack jackdaniels jackie jackson jacqueline jakarta jake james123
january japan japanese jasmin jasmine jasmine1 jasmine12 jasper jayz jedi jeffrey jelszo jennifer jeremy
jerome jessica jessica1 jesus jesus123 jesuschrist jesusislord jesusloves joanna jobs johannes john
johnjohn johnny joker joker123 jonathan jordan jordan23 joseph josephine joshua joshua1 julian juliana
jupiter justice justin justin1 justinbieber juventus katherine kathleen kathryn kawasaki kennedy kenneth
kentucky kenya kermit keyboard killer killer123 killers kimberly king kingking kingkong kissme kissmyass
kitten kittens kitty kittycat knicks koala korea korn kristen kristina kurtcobain l3tmein ladygaga
lakers lakers24 lamborghini laptop lassie lasvegas laughing lauren laurence laurent lavender lawrence
lawyer ledzeppelin leeds legolas lemon lemonade lenovo leonardo leslie let-me-in letme1n letmein
letmein1 letmeinnow liberty lightning lillian lily lincoln lindsay lindsey linkedin linkinpark linux
lion lionking lions liverpool liverpool1 lizard lkjhgfdsa login login123 login1234 loginlogin logon
london london1 lorenzo losangeles losenord louise love123 lovelove lovely loveme loveme1 lover lovers
loveyou loveyou1 lozinka lucas lucifer lucky lucky1 lucky123 lucky13 lucky7 luckyday lucy madison
madonna maggie maggie1 magic magical malaysia mamapapa mamma manager manchester mango manila manunited
manutd marcelo march marcus margaret mariahcarey mariana marianne marie marina marine marines mario
marion martin martina mary maserati master master12 master123 masterkey mastermaster math mathematics
matrix matthew matthias maurice maxime maximilian maxmax maxwell mazda medical megadeth melanie
melbourne melissa melon mercedes mercedes1 mercury metal metallica metallica1 mets mexico miami michael
michael1 michaeljackson michelle michigan mickey mickey1 mickeymouse microsoft midnight midnight1 miguel
milan military million minecraft minecraft1 minnesota minnie missyou misty mitchell mittens mju7nhy6
mnbvcx mnbvcxz mnbvcxz1 mohamed mohammed molly momdad mommy monday money money123 moneymoney monica
monitor monkey monkey1 monkey12 monkey123 monkeys montana montreal moon moonlight moonshine morgan
morpheus moscow motdepasse mother motherfucker motocross motorcycle motorola mountain mountains mouse
muffin muffin1 muhammad mulan mumbai munich muppet music music123 musica musiclover musicman mustang
mustang1 mychemicalromance mylove mylove123 mypass mypass123 mypassword mysecret myspace mysql mystery
nadine naruto naruto1 natalie natasha nathalie nathan nathaniel navy nemo neptune network nevada
nevermind newcastle newpassword newyork newyork1 newyorkcity newzealand nhyujm nicholas nicolas nicole
nicole1 nigeria ninja ninjas nintendo nirvana nirvana1 nissan nobody nokia nopass nopassword norman
norway nothing nothing1 november number number1 numberone nurse nursing oasis obama ocean october
octopus odyssey office officer okmijn oldpassword oliver olivia olympus omega omega123 one1 onedirection
onepiece onetwothree open open123 opensesame oracle orange orange1 oranges orchid orlando oscar p455w0rd
p4ssword p@55w0rd p@ssw0rd p@ssw0rd1 p@ssword p@ssword1 pa$$w0rd pa$$word pa55word packers painter
pakistan palmeiras pamela pancake panda panda123 panther panthers paramore paris paris123 parola parool
parrot pascal pass pass1234 pass12345 pass123456 passord passpass passpass1 passw0rd passw0rd1
passw0rd123 password password! password0 password00 password01 password1 password1! password11
password12 password123 password123! password1234 password13 password2 password2020 password2021
password2022 password2023 password2024 password2025 password21 password22 password4 password5 password6
password7 password8 password9 password99 password@1 password@123 passwordpassword passwords passwort
patches patricia patrick patrick1 patriots patrizia paul paulina peace peace123 peaceful peaches
peaches1 peacock peanut peanutbutter peanuts pearl penguin penguins pepper pepper1 pepsi pepsicola peru
peter peterpan philadelphia philip philippe philippines phillip phoenix phoenix1 phoenixaz physics piano
pianoman piglet pikachu pilot pineapple pink pink123 pinkfloyd pinkfloyd1 pinkpink pinky pittsburgh
pizza pizza123 planet platinum playboy playgirl playstation please pleaseletmein plmokn pluto pocahontas
poet poiuyt poiuytrewq pokemon pokemon1 poland police policeman polska pony porsche porsche911 portland
porto portugal postgres potato powerpuff prayer precious precious1 president prince princesa princess
princess1 princess12 princess123 printer priscilla pumpkin pumpkin1 puppies puppy puppy123 puppylove
purple purple1 purple123 pussy pussycat putin python q1w2e3r4 q1w2e3r4t5 qazwsx qazwsxedc qazxsw
qqqqqqqq qsdfghjklm queen queen1 queenbee qwaszx qwe123 qweasd qweasd123 qweasdzxc qweqwe qwer1234
qwerasdf qwerty qwerty! qwerty1 qwerty12 qwerty123 qwerty123! qwerty1234 qwerty12345 qwerty69 qwerty7
qwerty77 qwerty99 qwerty@123 qwertyqwerty qwertyu qwertyui qwertyuiop qwertz qwertzuiop rabbit rachel
radiohead rafael raiders rain rainbow rainbow1 rainbows raining rambo ramirez ranger rangers rangers1
raphael rapper rapunzel raquel raspberry raven ravens raymond reagan realmadrid rebecca redred redrose
redskins redsox reggae regina reginald remember rememberme rewq rhino ricardo rich richard richie
riddler rihanna river riverplate robert robert1 roberto robin roblox rock rockets rocknroll rockstar
rockstar1 rocky rocky1 rodrigo roland rollingstones ronald ronaldo ronaldo7 rooster root root123
root1234 rootroot rose rosebud roses router roxie roxy ruby rugby russell russia rusty sabrina sadie
sailor sakura salasana salvador samantha samantha1 sammy sammy123 sample samsung samsung1 samuel
sandiego sandra sanfrancisco sanjose santiago santos saopaulo sapphire sasuke satan saturday saturn
school school1 science scooby scooby1 scoobydoo scooter scooter1 scotland scott scruffy searchengine
seattle sebastian second secret secret12 secret123 secrets semantic semanticsearch senha september
sergeant server sesame sesamestreet seven sexsex sexy sexybitch sexyboy sexygirl shadow shadow1
shadow123 shadows shakira shanghai shark sharks sharon sheila sherman shirley shrek sifre sigma silver
silver1 simba simone simpsons singapore singer singing sister sixteen skateboard skating skyline
skywalker slayer slipknot slipknot1 smile smile123 smiley smokey smokey1 snake snickers sniper snoopdogg
snoopy snoopy1 snow snowball snowboard snowflake snowman snowwhite soccer soccer123 softball software
soldier somebody someone something sophia sophie sophie1 sorry sorrysorry southafrica southpark spain
spanish sparky sparky1 spartan spartan117 spencer spiderman spiderman1 spike spongebob spongebob1
sporting spring springtime spurs stanley star star123 starbucks starcraft stargate stargazer starlight
stars startrek starwars starwars1 steelers stefan stephane stephanie stephen steven storm stormy
strawberry stuart student students subaru sugar summer summer123 summertime sunday sunderland sunflower
sunrise sunset sunshine sunshine1 superman superman1 superuser supervisor susan suzanne suzuki swan
sweden sweet sweetheart sweetie sweetness sweetpea swimming sydney sylvia sylvie system taiwan
taylorswift teacher teacher1 teddy teddy123 teddybear teddybear1 temp temporary temppass tennessee
tennis tequila teresa terminator terrence test test123 test1234 test12345 test@123 tester testing
testpass testtest texas texas1 thailand thankyou thankyou1 thebeatles thepassword theresa thierry
thirteen thomas thomas1 three thunder thunder1 thursday tiffany tiger tiger123 tigers tigger tigger1
timothy tinkerbell tinkerbell1 titan titanic toby together tokyo tomato tommy toor topsecret tornado
toronto tortoise toshiba tottenham toyota travis trewq trinity trinity1 tristan trucker truelove trump
trumpet trustme trustn01 trustno1 tuesday tulip tupac turkey turkey1 turtle turtles twenty twitter tyler
tyuiop ubuntu ujmnhy ukraine unicorn universe university user user123 user1234 username useruser usmc
vader valentina valeria valerie vancouver vanessa vanilla vbnm vectora vectora1 vectora123
vectordatabase vectordb vectorsearch vegas vegeta venezuela venus veronica veronika vfr45tgb vfrcde
victor victoria vietnam vincent violet violin viper virginia virginia1 vivian vodka volkswagen
volleyball wachtwoord wales walter warcraft warrior warriors washington washington1 water watermelon
wednesday welcome welcome01 welcome1 welcome1! welcome123 welcome2 welcome@123 welcomehome wendy wesley
westham whale whatever whatever1 whatsup whiskey white whitey whoami whocares wife william williams
windows windows10 windows7 windowsxp winnie winniethepooh winter winter1 winter123 wireless wolf
wolfgang wolfpack wolverine wolves work worker writer wsxedc wxcvbn xbox xsw23edc xsw2zaq1 xxxxxxxx
yahoo yamaha yankees yankees1 yasmine yellow yoda yolanda yourpassword youtube yuiop yuiopp yvonne
yxcvbnm zachary zaq12wsx zaq1zaq1 zaqwsx zebra zelda zero zeus zse4xdr5 zxcv1234 zxcvbn zxcvbnm zxcvbnm1
zxcvbnm123 zxczxc zzzzzzzz
`;

export const commonPasswords: ReadonlySet<string> = new Set(list.trim().split(/\s+/));
