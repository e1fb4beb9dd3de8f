"""The words of the small model's world. Small on purpose: a small model cannot learn a large one."""

FIRST_NAMES = (
    "Ada Ahmed Aiko Alan Amara Ana Anna Ben Bo Carla Chen Clara Dana David Diego Dina Edgar Ella Emil Emma Eva Farid Fatima "
    "Felix Finn Flora Frida Grace Greta Hana Hugo Ida Igor Ines Ivan Jack Jan Jin José Julia Kai Karim Kira Lars Lea Lena Leo "
    "Lina Luca Lucy Luis Maja Marco Maria Max Mei Mia Milan Mina Nadia Nina Noah Nora Olga Omar Oscar Otto Paul Petra Pia "
    "Rania Rosa Ruth Sam Sara Sofia Sven Tara Theo Tim Tom Vera Victor Wanda Yara Yuki Zara Zoë"
).split()

LAST_NAMES = (
    "Adams Ali Andersen Bauer Becker Berg Brown Chavez Clark Costa Cruz Diaz Dubois Evans Fischer Fontaine Garcia Gupta Haas "
    "Hansen Hill Holm Ito Jansen Jones Kaya Keller Khan Kim King Klein Kovacs Lang Larsen Lee Lopez Lovelace Lund Martin Mayer Meyer "
    "Moreau Mori Müller Nguyen Novak Okafor Olsen Park Patel Peters Reed Ricci Rivera Rossi Sato Schmidt Silva Singh Smith Sousa "
    "Stone Suzuki Takeda Torres Turner Vega Wagner Walker Wang Weber White Wolf Wood Young Zhang"
).split()

CITIES = (
    "Accra Amman Athens Austin Bergen Berlin Bern Bogota Boston Cairo Chennai Chicago Dakar Delhi Denver Dublin Florence Geneva "
    "Hamburg Hanoi Helsinki Istanbul Jakarta Kyoto Lagos Leipzig Lima Lisbon London Lyon Madrid Malmö Milan Montreal Munich Nairobi "
    "Naples Oslo Paris Porto Prague Quito Rabat Riga Rome Seattle Seoul Sofia Sydney Tallinn Tokyo Toronto Turin Utrecht Vienna "
    "Warsaw Zagreb Zürich"
).split()

ITEMS = (
    "apple bag ball basket bell bike book bottle bowl box brush cable camera candle cap chair clock coat cup desk door drum fan "
    "flag flute fork glass glove guitar hammer hat jar kettle key kite ladder lamp map mirror mug notebook oven pan pen "
    "pencil phone pillow plate pot radio ring rope ruler scarf shelf shirt shoe spoon stamp stool table tent tray vase watch"
).split()

COLOURS = {
    "black": "#000000",
    "blue": "#0000ff",
    "brown": "#a52a2a",
    "coral": "#ff7f50",
    "crimson": "#dc143c",
    "cyan": "#00ffff",
    "gold": "#ffd700",
    "green": "#008000",
    "grey": "#808080",
    "indigo": "#4b0082",
    "lime": "#00ff00",
    "maroon": "#800000",
    "navy": "#000080",
    "olive": "#808000",
    "orange": "#ffa500",
    "pink": "#ffc0cb",
    "purple": "#800080",
    "red": "#ff0000",
    "salmon": "#fa8072",
    "silver": "#c0c0c0",
    "teal": "#008080",
    "violet": "#ee82ee",
    "white": "#ffffff",
    "yellow": "#ffff00",
}

TITLES = (
    "art fair,board meeting,book club,bread course,chess evening,choir practice,city walk,cooking class,dance night,dinner,"
    "film night,garden day,harvest feast,jazz concert,job interview,language table,lecture,open day,parents evening,"
    "photo show,planning call,poetry reading,quiz night,science talk,spring market,staff lunch,summer party,team meeting,"
    "theatre visit,trip to the lake,winter run,workshop,yoga class"
).split(",")

QUOTED = "Faust,Blue Door,Carmen,Tosca,Dune,Emma,Hamlet,Kim,Lolly Willowes,Nora,Medea,Ulysses".split(",")
"""Names of works, which people put in quotes, and quotes inside a JSON string need a backslash."""

PLACES = "Blue Room,Café Mozart,City Hall,Green Park,Hall 2,Hall 7,Lake House,Library,Main Square,Old Mill,Room 12,Room 4,Town Theatre".split(
    ","
)

SONGS = "Autumn Rain,Blue Train,City Lights,Good Morning,Home Again,Long Road,Moon River,Night Boat,Open Sea,Silver Moon,Slow Dance,Sunday".split(
    ","
)

LANGUAGES = (
    "Arabic,Danish,Dutch,English,French,German,Greek,Hindi,Italian,Japanese,Korean,Polish,Spanish,Turkish".split(",")
)

MONTHS = "January February March April May June July August September October November December".split()

SUBJECTS = (
    "cat child dog farmer gardener girl king neighbour nurse pilot poet queen sailor singer teacher writer".split()
)

VERBS = "bought carried cleaned dropped drew forgot found lost mended painted saw sold stole took wanted washed".split()

FOLDERS = (
    "api assets build code config core data docs fonts images lib logs main music notes old photos scripts src styles temp test tools web"
).split()
