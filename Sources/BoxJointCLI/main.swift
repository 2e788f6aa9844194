print("boxjoint")
